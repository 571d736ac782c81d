import type { Graph, GraphNode } from '#contract/queue/graph.ts'
import type { QueueItem, QueueItemStatus, QueueItemSummary } from '#contract/queue/queue.ts'

/** One item of the queue, as the page keeps it. Times are milliseconds since 1970. */
export interface QueueEntry {
  readonly itemId: number
  readonly batchId: string
  readonly status: QueueItemStatus
  readonly origin: string | null
  readonly destination: string | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Why it failed. */
  readonly fault: string | null
  /** What its graph says; null where only its summary was asked for. */
  readonly graph: GraphFacts | null
}

/** What of a graph is worth telling. */
export interface GraphFacts {
  /** The highest runs first. */
  readonly priority: number
  /** Where its images will land: `none`, or a board's id. */
  readonly boardId: string
  /** False: it only works something out. */
  readonly makesImages: boolean
  readonly nodeCount: number
  readonly nodeTypes: readonly string[]
  readonly sizePx: SizePx | null
  readonly prompt: string | null
}

export interface SizePx {
  readonly width: number
  readonly height: number
}

/** Times travel as `2026-11-21 07:32:39.125`, UTC. */
export const msOf = (timestamp: string): number =>
  Date.parse(timestamp.includes('T') ? timestamp : `${timestamp.replace(' ', 'T')}Z`)

const msOrNull = (timestamp: string | null): number | null =>
  timestamp === null ? null : msOf(timestamp)

/** An item of which only the short form was asked for. */
export const entryOfSummary = (item: QueueItemSummary): QueueEntry => ({
  itemId: item.item_id,
  batchId: item.batch_id,
  status: item.status,
  origin: item.origin,
  destination: item.destination,
  createdAt: msOf(item.created_at),
  startedAt: msOrNull(item.started_at),
  endedAt: msOrNull(item.completed_at),
  fault: null,
  graph: null,
})

/** An item with its graph. */
export const entryOf = (item: QueueItem): QueueEntry => ({
  ...entryOfSummary(item),
  fault: faultOf(item),
  graph: factsOf(item.session.graph, item.priority),
})

/** Why an item failed, in words; the kind of error where it has none. */
export const faultOf = (item: {
  readonly error_message: string | null
  readonly error_type: string | null
}): string | null => item.error_message || item.error_type

/** Reads out of a graph what it will make, and where that goes. */
export function factsOf(graph: Graph, priority: number): GraphFacts {
  const nodes = Object.values(graph.nodes)
  const saving = savingNodes(graph)
  const last = saving.at(-1)
  return {
    priority,
    boardId: last === undefined ? 'none' : boardOfNode(last),
    makesImages: saving.length > 0,
    nodeCount: nodes.length,
    nodeTypes: nodes.map(({ type }) => type),
    sizePx: last === undefined ? null : sizeOfNode(last),
    prompt: promptOf(nodes),
  }
}

/** Where a node saves to: `none`, or a board's id (wire 9.2). */
export function boardOfNode({ board }: GraphNode): string {
  const isField = typeof board === 'object' && board !== null && 'board_id' in board
  const boardId = isField ? board.board_id : null
  return typeof boardId === 'string' && boardId !== '' ? boardId : 'none'
}

/** How large its image will be, where its inputs say so. */
export function sizeOfNode({ width, height }: GraphNode): SizePx | null {
  const isSize = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
  return isSize ? { width, height } : null
}

/** What saves an image that people see, and only that, has a board among its inputs. The last ones end last. */
function savingNodes({ nodes, edges }: Graph): GraphNode[] {
  const leadsOn = new Set(edges.map(({ source }) => source.node_id))
  const saving = Object.values(nodes).filter((node) => 'board' in node && !node.is_intermediate)
  const isEnd = (node: GraphNode) => !leadsOn.has(node.id)
  return [...saving.filter((node) => !isEnd(node)), ...saving.filter(isEnd)]
}

/** A generator's metadata has the prompt; other graphs name none. */
function promptOf(nodes: readonly GraphNode[]): string | null {
  for (const { positive_prompt } of nodes) {
    if (typeof positive_prompt === 'string' && positive_prompt !== '') return positive_prompt
  }
  return null
}
