import { randomUUID } from 'node:crypto'
import { MAX_PREPARED_NODES } from '#contract/limits.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'
import type { GraphPlan } from '#server/engine/graph/graph-plan.ts'
import { definitionOf, type NodeCatalog } from '#server/engine/graph/node-catalog.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import type { PreparedEdge, PreparedNode } from './prepared-node.ts'

/** The prepared nodes of one node of the graph. */
interface Copies {
  readonly all: PreparedNode[]
  readonly byPath: Map<string, PreparedNode>
}

/** Edges between prepared nodes: far more than graphs have whose nodes fit. */
const MAX_PREPARED_EDGES = 20 * MAX_PREPARED_NODES

const tooLarge = () =>
  new NodeFault(
    `The graph becomes more than ${MAX_PREPARED_NODES} nodes: its lists are too long.`,
    'TooManyNodesError',
  )

const keyOf = (path: readonly number[]) => path.join()

/** Makes prepared nodes out of a graph, as soon as it is known how many there are (wire 9.2). */
export class Expansion {
  /** In the order in which they were made: each after those that feed it. */
  readonly prepared: PreparedNode[] = []
  readonly #plan: GraphPlan
  readonly #catalog: NodeCatalog
  readonly #axes: Axes
  readonly #copies = new Map<string, Copies>()
  /** Of each `iterate`: the length of its list at each place of the iterations around it. */
  readonly #lengths = new Map<string, Map<string, number>>()
  #edgeCount = 0

  constructor(plan: GraphPlan, catalog: NodeCatalog) {
    this.#plan = plan
    this.#catalog = catalog
    this.#axes = axesOf(plan)
  }

  /** `undefined`: not prepared yet. Empty: an iterate around it had nothing to go over. */
  copiesOf(sourceId: string): readonly PreparedNode[] | undefined {
    return this.#copies.get(sourceId)?.all
  }

  /**
   * Prepares every node whose number of copies has become known.
   *
   * @returns What was prepared now.
   * @throws {NodeFault} The graph becomes too large.
   */
  prepareMore(results: ReadonlyMap<PreparedNode, NodeOutput>): PreparedNode[] {
    const before = this.prepared.length
    for (const id of this.#plan.order) {
      if (!this.#copies.has(id) && this.#canPrepare(id)) this.#prepare(id, results)
    }
    return this.prepared.slice(before)
  }

  #canPrepare(id: string): boolean {
    const isIterate = this.#plan.graph.nodes[id]?.type === 'iterate'
    return (this.#plan.inputs.get(id) ?? []).every(({ source }) => {
      const copies = this.copiesOf(source.node_id)
      return copies?.every(({ isExecuted }) => !isIterate || isExecuted) ?? false
    })
  }

  #prepare(id: string, results: ReadonlyMap<PreparedNode, NodeOutput>): void {
    const node = this.#plan.graph.nodes[id]
    if (node === undefined) return
    if (node.type === 'iterate') this.#measure(id, results)
    const copies: Copies = { all: [], byPath: new Map() }
    this.#copies.set(id, copies)
    const incoming = this.#incomingOf(id)
    for (const path of this.#pathsAlong(this.#axesOf(id))) {
      const prepared: PreparedNode = {
        sourceId: id,
        definition: definitionOf(this.#catalog, node.type),
        path,
        node: { ...node, id: randomUUID() },
        inputs: [],
        outputs: [],
        unmet: 0,
        demand: 'needed',
        isExecuted: false,
        isQueued: false,
        chosen: null,
      }
      if (this.#edgeCount > MAX_PREPARED_EDGES) throw tooLarge()
      if (node.type === 'iterate') prepared.node.index = path.at(-1) ?? 0
      for (const { sourceField, field, sourcesAt } of incoming) {
        for (const source of sourcesAt(path)) {
          const edge: PreparedEdge = {
            source,
            sourceField,
            target: prepared,
            field,
            isMet: source.isExecuted,
          }
          prepared.inputs.push(edge)
          source.outputs.push(edge)
          if (!edge.isMet) prepared.unmet += 1
          this.#edgeCount += 1
        }
      }
      copies.all.push(prepared)
      copies.byPath.set(keyOf(path), prepared)
      this.prepared.push(prepared)
    }
  }

  #axesOf(id: string): readonly string[] {
    return this.#axes.get(id) ?? []
  }

  /** How the edges of a node find their sources: one for each of its copies, for a `collect` many. */
  #incomingOf(id: string) {
    const axes = this.#axesOf(id)
    return (this.#plan.inputs.get(id) ?? []).map(({ source, destination }) => {
      const sourceAxes = this.#axesOf(source.node_id)
      const shared = sourceAxes.filter((axis) => axes.includes(axis))
      const byPath = new Map<string, PreparedNode[]>()
      for (const copy of this.copiesOf(source.node_id) ?? []) {
        const key = keyOf(alongAxes(copy.path, sourceAxes, shared))
        const group = byPath.get(key) ?? []
        byPath.set(key, group)
        group.push(copy)
      }
      return {
        sourceField: source.field,
        field: destination.field,
        sourcesAt: (path: readonly number[]) =>
          byPath.get(keyOf(alongAxes(path, axes, shared))) ?? [],
      }
    })
  }

  /** Notes how many items an `iterate` goes over. What was skipped has none. */
  #measure(id: string, results: ReadonlyMap<PreparedNode, NodeOutput>): void {
    const [edge] = (this.#plan.inputs.get(id) ?? []).filter(
      ({ destination }) => destination.field === 'collection',
    )
    const axes = this.#axesOf(id)
    const outer = axes.slice(0, -1)
    const sourceId = edge?.source.node_id ?? ''
    const sources = this.#copies.get(sourceId)?.byPath
    const lengths = new Map<string, number>()
    this.#lengths.set(id, lengths)
    for (const path of this.#pathsAlong(outer)) {
      const source = sources?.get(keyOf(alongAxes(path, outer, this.#axesOf(sourceId))))
      const result = source && results.get(source)
      const list = result?.[edge?.source.field ?? '']
      // What is no list is handed to one copy, which refuses it in its own name.
      lengths.set(keyOf(path), Array.isArray(list) ? list.length : result ? 1 : 0)
    }
  }

  /** Every place along some axes, in the order of the iterations. */
  #pathsAlong(axes: readonly string[]): number[][] {
    let paths: number[][] = [[]]
    for (const [depth, axis] of axes.entries()) {
      const passed = axes.slice(0, depth)
      const outer = this.#axesOf(axis).slice(0, -1)
      const longer: number[][] = []
      for (const path of paths) {
        const length = this.#lengths.get(axis)?.get(keyOf(alongAxes(path, passed, outer))) ?? 0
        this.#assertFits(longer.length + length)
        for (let index = 0; index < length; index += 1) longer.push([...path, index])
      }
      paths = longer
    }
    this.#assertFits(paths.length)
    return paths
  }

  #assertFits(more: number): void {
    if (this.prepared.length + more > MAX_PREPARED_NODES) throw tooLarge()
  }
}

/** The `iterate` nodes that a node of the graph runs once an item of, outer ones first. */
type Axes = ReadonlyMap<string, readonly string[]>

/**
 * Says which iterates each node varies over (wire 9.2).
 *
 * A node varies over what its inputs vary over, an `iterate` over itself too. A `collect` gathers along one
 * level: of its inputs' iterates those drop out that no other of them stands behind. So nested iterates give
 * one list for each item of the outer, and independent ones give one list.
 */
function axesOf(plan: GraphPlan): Axes {
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
const alongAxes = (
  path: readonly number[],
  axes: readonly string[],
  fewer: readonly string[],
): number[] => fewer.map((axis) => path[axes.indexOf(axis)] ?? 0)
