import type { GraphFacts, QueueEntry } from '#gallery/api/queue/queue-entry.ts'

/** The counts of an empty queue. */
export const noCounts = {
  pending: 0,
  in_progress: 0,
  waiting: 0,
  completed: 0,
  failed: 0,
  canceled: 0,
  total: 0,
}

/** The graph of {@link queueEntry}. */
export const graphFacts: GraphFacts = {
  priority: 0,
  boardId: 'none',
  makesImages: true,
  nodeCount: 1,
  nodeTypes: ['save_image'],
  sizePx: null,
  prompt: null,
}

/** Returns a pending entry of a queue whose graph saves an uncategorized image. */
export const queueEntry = (itemId: number, change: Partial<QueueEntry> = {}): QueueEntry => ({
  itemId,
  batchId: 'batch',
  status: 'pending',
  origin: null,
  destination: null,
  createdAt: itemId,
  startedAt: null,
  endedAt: null,
  fault: null,
  imageNames: null,
  retriedFrom: null,
  graph: graphFacts,
  ...change,
})
