import type { EventData } from '#contract/events.ts'
import type { Graph, GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import {
  isFinal,
  type QueueItem,
  type QueueItemStatus,
  type QueueItemSummary,
} from '#contract/queue/queue.ts'
import type { SizePx } from '#gallery/api/process/process-steps.ts'

/** One queue item in the cache of the page. Times are milliseconds since 1970. */
export interface QueueEntry {
  readonly itemId: number
  readonly batchId: string
  readonly status: QueueItemStatus
  readonly origin: string | null
  readonly destination: string | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly fault: string | null
  /** Its new images in the order of their creation; null if unknown. An unfinished item may create more. */
  readonly imageNames: readonly string[] | null
  /** The first item of its chain of retries; null if it is no retry, or if only its summary is loaded. */
  readonly retriedFrom: number | null
  /** Facts about its graph; null if only its summary is loaded. */
  readonly graph: GraphFacts | null
}

/** The facts about a graph that the page shows. */
export interface GraphFacts {
  /** The highest runs first. */
  readonly priority: number
  /** The board of its images: a board ID, or `none`. */
  readonly boardId: string
  readonly makesImages: boolean
  readonly nodeCount: number
  readonly nodeTypes: readonly string[]
  readonly sizePx: SizePx | null
  readonly prompt: string | null
}

/** Parses a timestamp of the API, such as `2026-11-21 07:32:39.125` in UTC. */
export const msOf = (timestamp: string): number =>
  Date.parse(timestamp.includes('T') ? timestamp : `${timestamp.replace(' ', 'T')}Z`)

const msOrNull = (timestamp: string | null): number | null =>
  timestamp === null ? null : msOf(timestamp)

export const entryOfSummary = (
  item: QueueItemSummary | EventData<'queue_item_status_changed'>,
): QueueEntry => ({
  itemId: item.item_id,
  batchId: item.batch_id,
  status: item.status,
  origin: item.origin,
  destination: item.destination,
  createdAt: msOf(item.created_at),
  startedAt: msOrNull(item.started_at),
  endedAt: msOrNull(item.completed_at),
  fault: null,
  imageNames: null,
  retriedFrom: null,
  graph: null,
})

export const entryOf = (item: QueueItem): QueueEntry => ({
  ...entryOfSummary(item),
  fault: faultOf(item),
  imageNames: isFinal(item.status) ? newImageNamesOf(item) : null,
  retriedFrom: item.retried_from_item_id,
  graph: factsOf(item.session.graph, item.priority),
})

/** Returns the error message of a failed item, or else its error type. */
export const faultOf = (item: {
  readonly error_message: string | null
  readonly error_type: string | null
}): string | null => item.error_message || item.error_type

/** Extracts the board, size and prompt of the images from a graph. */
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

/** Returns the board that a node saves to: a board ID, or `none`. */
export function boardOfNode({ board }: GraphNode): string {
  const isField = typeof board === 'object' && board !== null && 'board_id' in board
  const boardId = isField ? board.board_id : null
  return typeof boardId === 'string' && boardId !== '' ? boardId : 'none'
}

export function sizeOfNode({ width, height }: GraphNode): SizePx | null {
  const isSize = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
  return isSize ? { width, height } : null
}

/** Returns the nodes that save images, final nodes last: all nodes with a board input. */
function savingNodes({ nodes, edges }: Graph): GraphNode[] {
  const leadsOn = new Set(edges.map(({ source }) => source.node_id))
  const saving = Object.values(nodes).filter((node) => 'board' in node && !node.is_intermediate)
  const isEnd = (node: GraphNode) => !leadsOn.has(node.id)
  return [...saving.filter((node) => !isEnd(node)), ...saving.filter(isEnd)]
}

/** Returns the prompt from the metadata node of a generator graph. Other graphs have none. */
function promptOf(nodes: readonly GraphNode[]): string | null {
  for (const { positive_prompt } of nodes) {
    if (typeof positive_prompt === 'string' && positive_prompt !== '') return positive_prompt
  }
  return null
}

/** Returns the image names in the output of a node, from single fields and lists. */
export function imageNamesOf(result: NodeOutput): string[] {
  return Object.values(result)
    .flat()
    .flatMap((field: unknown) =>
      typeof field === 'object' && field !== null && 'image_name' in field
        ? [String(field.image_name)]
        : [],
    )
}

/** Returns the images that queue items have created: either only the intermediate ones, or only the others. */
export const imageNamesIn = (items: readonly QueueItem[], isIntermediate: boolean): string[] =>
  items.flatMap(({ session: { results, execution_graph } }) =>
    Object.entries(results).flatMap(([id, result]) =>
      (execution_graph.nodes[id]?.is_intermediate ?? false) === isIntermediate
        ? imageNamesOf(result)
        : [],
    ),
  )

/** Nodes that return an existing image. */
const SHOWING_NODES: readonly string[] = ['image', 'load_image', 'show_image', 'video']

/** Returns true if the output of a node contains new images that the user wants to see. */
export const makesNewImages = ({ type, is_intermediate }: GraphNode): boolean =>
  !is_intermediate && !SHOWING_NODES.includes(type)

/** Returns the new images of an item. */
const newImageNamesOf = ({ session: { results, execution_graph } }: QueueItem): string[] =>
  Object.entries(results).flatMap(([id, result]) => {
    const node = execution_graph.nodes[id]
    return node !== undefined && makesNewImages(node) ? imageNamesOf(result) : []
  })
