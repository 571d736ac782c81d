import { randomUUID } from 'node:crypto'
import { MAX_PREPARED_NODES } from '#contract/limits.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'
import { edgesInto, type GraphPlan } from '#server/engine/graph/graph-plan.ts'
import { definitionOf, type NodeCatalog } from '#server/engine/graph/node-catalog.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import type { PreparedEdge, PreparedNode } from './prepared-node.ts'

/** The prepared copies of one node of the graph. */
interface Copies {
  readonly all: PreparedNode[]
  readonly byPath: Map<string, PreparedNode>
}

/** Limit of edges between prepared nodes, far more than graphs within the node limit have. */
const MAX_PREPARED_EDGES = 20 * MAX_PREPARED_NODES

const tooLarge = () =>
  new NodeFault(
    `The graph becomes more than ${MAX_PREPARED_NODES} nodes: its lists are too long.`,
    'TooManyNodesError',
  )

const keyOf = (path: readonly number[]) => path.join()

/** Expands a graph to prepared nodes, as soon as the number of copies of a node is known. */
export class Expansion {
  /** In creation order: each node after the nodes that feed it. */
  readonly prepared: PreparedNode[] = []
  readonly #plan: GraphPlan
  readonly #catalog: NodeCatalog
  readonly #axes: Axes
  readonly #copies = new Map<string, Copies>()
  /** List length of each `iterate`, by the path along its outer iterations. */
  readonly #lengths = new Map<string, Map<string, number>>()
  #edgeCount = 0

  constructor(plan: GraphPlan, catalog: NodeCatalog) {
    this.#plan = plan
    this.#catalog = catalog
    this.#axes = axesOf(plan)
  }

  /** Returns the copies of a node, or `undefined` before they are prepared. Empty if an outer `iterate` is empty. */
  copiesOf(sourceId: string): readonly PreparedNode[] | undefined {
    return this.#copies.get(sourceId)?.all
  }

  /**
   * Prepares all nodes whose number of copies is now known.
   *
   * @returns The newly prepared nodes.
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

  /** Returns a lookup of source copies for each incoming edge: one source per copy, or many for a `collect`. */
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

  /** Records the list lengths of an `iterate`. Skipped sources have length 0. */
  #measure(id: string, results: ReadonlyMap<PreparedNode, NodeOutput>): void {
    const [edge] = edgesInto(this.#plan, id, 'collection')
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
      // A non-list yields one copy, whose node reports the type error.
      lengths.set(keyOf(path), Array.isArray(list) ? list.length : result ? 1 : 0)
    }
  }

  /** Returns all paths along the axes, in iteration order. */
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

/** The axes of each node: the `iterate` nodes for whose items it is repeated, outer ones first. */
type Axes = ReadonlyMap<string, readonly string[]>

/**
 * Determines the axes of each node.
 *
 * A node has the axes of its inputs, and an `iterate` also has itself. A `collect` gathers one level: it drops those
 * axes that contain no other axis of its inputs. Nested iterates therefore yield one list per item of the outer one,
 * and independent iterates yield a single list.
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

/** Reduces a path to fewer axes. */
const alongAxes = (
  path: readonly number[],
  axes: readonly string[],
  fewer: readonly string[],
): number[] => fewer.map((axis) => path[axes.indexOf(axis)] ?? 0)
