import type { GraphPlan } from '#server/engine/graph/graph-plan.ts'

/** The `iterate` nodes that a node of the graph runs once an item of, outer ones first. */
export type Axes = ReadonlyMap<string, readonly string[]>

/**
 * Says which iterates each node varies over (wire 9.2).
 *
 * A node varies over what its inputs vary over, an `iterate` over itself too. A `collect` gathers along one
 * level: of its inputs' iterates those drop out that no other of them stands behind. So nested iterates give
 * one list for each item of the outer, and independent ones give one list.
 */
export function axesOf(plan: GraphPlan): Axes {
  const rank = new Map(plan.order.map((id, index) => [id, index]))
  const axes = new Map<string, readonly string[]>()
  for (const id of plan.order) {
    const united = new Set(
      (plan.inputs.get(id) ?? []).flatMap(({ source }) => axes.get(source.node_id) ?? []),
    )
    const ordered = [...united].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
    const type = plan.graph.nodes[id]?.type
    if (type === 'iterate') axes.set(id, [...ordered, id])
    else if (type === 'collect')
      axes.set(
        id,
        ordered.filter((axis) => hasInner(axis, ordered, axes)),
      )
    else axes.set(id, ordered)
  }
  return axes
}

const hasInner = (axis: string, among: readonly string[], axes: Axes): boolean =>
  among.some((other) => other !== axis && (axes.get(other)?.includes(axis) ?? false))

/** A path along some axes, cut down to fewer of them. */
export const alongAxes = (
  path: readonly number[],
  axes: readonly string[],
  fewer: readonly string[],
): number[] => fewer.map((axis) => path[axes.indexOf(axis)] ?? 0)
