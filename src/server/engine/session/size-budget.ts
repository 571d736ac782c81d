import type { Graph } from '#contract/graph.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import type { PreparedNode } from './prepared-node.ts'

/** What a run may hold, in characters of JSON: its record is kept in the database and sent whole. */
export const MAX_SESSION_LENGTH = 32 * 1024 * 1024

/** Keeps count of what the nodes of a run hold. A text that is joined to itself thirty times is no run. */
export class SizeBudget {
  readonly #nodeSizes: ReadonlyMap<string, number>
  readonly #resultSizes = new Map<PreparedNode, number>()
  #left = MAX_SESSION_LENGTH

  constructor(graph: Graph) {
    this.#nodeSizes = new Map(
      Object.entries(graph.nodes).map(([id, node]) => [id, JSON.stringify(node).length]),
    )
  }

  /**
   * Counts a node with what its edges bring, before it is given that.
   *
   * @throws {NodeFault} The run holds too much.
   */
  take(node: PreparedNode): void {
    // An iterate hands on its list item by item and holds none of it.
    const inputs = node.definition.type === 'iterate' ? [] : node.inputs
    const brought = inputs.map(({ source }) => this.#resultSizes.get(source) ?? 0)
    this.#use([this.#nodeSizes.get(node.sourceId) ?? 0, ...brought].reduce((a, b) => a + b, 0))
  }

  /** @throws {NodeFault} The run holds too much. */
  add(node: PreparedNode, resultSize: number): void {
    this.#resultSizes.set(node, resultSize)
    this.#use(resultSize)
  }

  #use(size: number): void {
    this.#left -= size
    if (this.#left >= 0) return
    throw new NodeFault(
      `The values of this run are more than ${MAX_SESSION_LENGTH / 1024 / 1024} MiB of text.`,
      'TooMuchDataError',
    )
  }
}
