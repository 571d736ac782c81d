import type { ItemEnd, NewBatch } from '#server/core/queue/queue-ports.ts'

/** A batch like any other but for what a test names. */
export const newBatch = (own: Partial<NewBatch> = {}): NewBatch => ({
  queueId: 'default',
  batchId: 'batch',
  origin: null,
  destination: null,
  graph: '{"id":"graph","nodes":{},"edges":[]}',
  workflow: null,
  fieldValues: [[]],
  prepend: false,
  maxPending: 100,
  ...own,
})

/** So many items that write nothing into their graph. */
export const times = (count: number) => Array.from({ length: count }, () => [])

export const ended = (status: ItemEnd['status'] = 'completed'): ItemEnd => ({
  status,
  session: '{"id":"s"}',
  error: status === 'failed' ? { type: 'ValueError', message: 'no', traceback: 'at' } : null,
})

/** No item stands anywhere. */
export const noCounts = {
  pending: 0,
  in_progress: 0,
  waiting: 0,
  completed: 0,
  failed: 0,
  canceled: 0,
}
