import type { NodeOutput } from '#contract/queue/graph.ts'
import { FaultList } from '#server/core/validation/fault-list.ts'
import { readValue } from '#server/core/validation/read-value.ts'
import type { GraphPlan } from '#server/engine/graph/graph-plan.ts'
import type { NodeCatalog } from '#server/engine/graph/node-catalog.ts'
import { Expansion } from './expansion.ts'
import { isBranch, meet, type PreparedEdge, type PreparedNode } from './prepared-node.ts'

/** Nodes that are ready to run. Takes all nodes of one type before the next type, each in iteration order. */
class ReadyQueue {
  readonly #byType = new Map<string, PreparedNode[]>()
  #activeType = ''

  add(node: PreparedNode): void {
    if (node.isQueued) return
    node.isQueued = true
    const queue = this.#byType.get(node.definition.type) ?? []
    this.#byType.set(node.definition.type, queue)
    let place = queue.length
    while (place > 0 && comparePaths(queue[place - 1]?.path ?? [], node.path) > 0) place -= 1
    queue.splice(place, 0, node)
  }

  take(): PreparedNode | null {
    const node = this.#takeOne()
    if (node) node.isQueued = false
    return node
  }

  #takeOne(): PreparedNode | null {
    const active = this.#byType.get(this.#activeType)?.shift()
    if (active) return active
    const next = [...this.#byType].filter(([, queue]) => queue.length > 0).map(([type]) => type)
    this.#activeType = next.sort()[0] ?? ''
    return this.#byType.get(this.#activeType)?.shift() ?? null
  }
}

/** Selects the next node of a run and stores results. */
export class SessionState {
  readonly plan: GraphPlan
  readonly expansion: Expansion
  readonly results = new Map<PreparedNode, NodeOutput>()
  readonly errors = new Map<PreparedNode, string>()
  /** Nodes of the graph, in the order in which their last copies completed. */
  readonly history: string[] = []
  readonly #ready = new ReadyQueue()
  readonly #executedCopies = new Map<string, number>()
  readonly #hasIf: boolean

  constructor(plan: GraphPlan, catalog: NodeCatalog) {
    this.plan = plan
    this.expansion = new Expansion(plan, catalog)
    this.#hasIf = Object.values(plan.graph.nodes).some(({ type }) => type === 'if')
  }

  /**
   * Returns the next node to run, or null after the last one.
   *
   * @throws {NodeFault} The graph becomes too large.
   */
  next(): PreparedNode | null {
    for (;;) {
      const node = this.#ready.take()
      if (node === null) {
        if (!this.#prepareMore()) return null
      } else if (!node.isExecuted && node.demand === 'needed') return node
    }
  }

  complete(node: PreparedNode, output: NodeOutput): void {
    this.results.set(node, output)
    this.#setExecuted(node)
    if (this.isSourceExecuted(node.sourceId)) this.history.push(node.sourceId)
    for (const edge of node.outputs) {
      meet(edge)
      if (!isBranch(edge)) this.#choose(edge.target)
      this.#offer(edge.target)
    }
  }

  /** True if all copies of a node ran or were skipped. */
  isSourceExecuted(sourceId: string): boolean {
    const copies = this.expansion.copiesOf(sourceId)
    return copies !== undefined && (this.#executedCopies.get(sourceId) ?? 0) === copies.length
  }

  #setExecuted(node: PreparedNode): void {
    node.isExecuted = true
    const before = this.#executedCopies.get(node.sourceId) ?? 0
    this.#executedCopies.set(node.sourceId, before + 1)
  }

  #prepareMore(): boolean {
    const known = this.#preparedSources()
    const fresh = this.expansion.prepareMore(this.results)
    if (fresh.length === 0 && this.#preparedSources() === known) return false
    if (this.#hasIf) {
      for (const node of fresh) this.#choose(node)
      // In reverse order, so that consumers of a node are settled before it.
      for (const node of this.expansion.prepared.toReversed()) this.#settle(node)
    }
    for (const node of fresh) this.#offer(node)
    return true
  }

  /** Counts sources, because preparing a node with zero copies is progress too: its successors can then be prepared. */
  #preparedSources(): number {
    return this.plan.order.filter((id) => this.expansion.copiesOf(id) !== undefined).length
  }

  /** Makes an `if` choose its side once its condition is known. Edges of the other side no longer block it. */
  #choose(node: PreparedNode): void {
    if (node.definition.type !== 'if' || node.chosen !== null) return
    const conditions = node.inputs.filter((edge) => !isBranch(edge))
    if (conditions.some(({ isMet }) => !isMet)) return
    node.chosen = this.#conditionOf(node, conditions) ? 'true_input' : 'false_input'
    const branches = node.inputs.filter(isBranch)
    for (const edge of branches) if (edge.field !== node.chosen) meet(edge)
    for (const { source } of branches) this.#settle(source)
  }

  #conditionOf(node: PreparedNode, [edge]: PreparedNode['inputs']): boolean {
    const value = edge ? this.results.get(edge.source)?.[edge.sourceField] : node.node.condition
    // An invalid condition is refused when the node gets its inputs.
    return readValue({ type: 'boolean' }, value, [], 'graph', new FaultList()) === true
  }

  /** Recomputes the demand of a node and of all nodes that it depends on. */
  #settle(first: PreparedNode): void {
    const open = [first]
    for (let node = open.pop(); node; node = open.pop()) {
      const demand = node.isExecuted
        ? node.demand
        : demandFor(node, this.#hasUnpreparedConsumer(node))
      if (demand === node.demand) continue
      node.demand = demand
      if (demand === 'skipped') this.#setExecuted(node)
      for (const { source } of node.inputs) open.push(source)
      this.#offer(node)
    }
  }

  #hasUnpreparedConsumer({ sourceId }: PreparedNode): boolean {
    const outputs = this.plan.outputs.get(sourceId) ?? []
    return outputs.some(({ destination }) => !this.expansion.copiesOf(destination.node_id))
  }

  #offer(node: PreparedNode): void {
    if (node.isExecuted || node.demand !== 'needed' || node.unmet > 0) return
    this.#ready.add(node)
  }
}

type Demand = PreparedNode['demand']

/** Returns the demand of an edge's target for its value. */
function demandAlong(edge: PreparedEdge): Demand {
  const { target } = edge
  if (target.demand === 'skipped' || !isBranch(edge)) return target.demand
  if (target.chosen === null) return 'unknown'
  return target.chosen === edge.field ? target.demand : 'skipped'
}

/**
 * Returns the demand for a node: needed if a needed node consumes its result, or if nothing does.
 *
 * @param hasUnpreparedConsumer - True if a consumer is not prepared yet. It can be prepared only after this node has run.
 */
function demandFor(node: PreparedNode, hasUnpreparedConsumer: boolean): Demand {
  if (hasUnpreparedConsumer || node.outputs.length === 0) return 'needed'
  const demands = node.outputs.map(demandAlong)
  if (demands.includes('needed')) return 'needed'
  return demands.includes('unknown') ? 'unknown' : 'skipped'
}

/** Compares iteration paths: outer before inner, then by index. */
export const comparePaths = (a: readonly number[], b: readonly number[]): number => {
  for (const [index, step] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (step !== other) return step - other
  }
  return a.length - b.length
}
