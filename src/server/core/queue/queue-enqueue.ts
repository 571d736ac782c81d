import { v4 as randomId } from 'uuid'
import { SYSTEM_USER_ID } from '#contract/events.ts'
import type { Graph } from '#contract/queue/graph.ts'
import { type Batch, type EnqueueBatchResult, MAX_PENDING_ITEMS } from '#contract/queue/queue.ts'
import type { ValidationFault } from '#contract/refusal-bodies.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import type { GraphEngine } from './engine-ports.ts'
import { dataFault, expandData } from './queue-expansion.ts'
import type { QueueRecords } from './queue-ports.ts'
import type { QueueProcessor } from './queue-processor.ts'

export interface QueueParts {
  queue: QueueRecords
  engine: GraphEngine
  events: EventSink
  processor: QueueProcessor
}

export interface Enqueueing {
  queueId: string
  batch: Batch
  /** True to add the items before the pending ones. */
  prepend: boolean
}

const IN_BATCH = ['body', 'batch'] as const

/** Adds a batch to a queue, or returns its faults. Expands it as InvokeAI does. */
export const enqueueBatch = async (
  { queue, engine, events, processor }: QueueParts,
  { queueId, batch, prepend }: Enqueueing,
): Promise<EnqueueBatchResult | { faults: ValidationFault[] }> => {
  const checked = checkBatch(engine, batch)
  if ('faults' in checked) return checked
  engine.prepare()
  const { runs = 1, workflow = null, data = null, origin = null, destination = null } = batch
  const { requested, fieldValues } = expandData(data ?? [], runs, MAX_PENDING_ITEMS)
  const batchId = batch.batch_id ?? randomId()

  const { itemIds, priority } = await queue.add({
    queueId,
    batchId,
    origin,
    destination,
    graph: JSON.stringify(checked.graph),
    workflow: workflow === null ? null : JSON.stringify(workflow),
    fieldValues,
    prepend,
    maxPending: MAX_PENDING_ITEMS,
  })
  const enqueued = itemIds.length
  const counts = { queue_id: queueId, enqueued, requested, priority }
  events.emit('batch_enqueued', { ...counts, batch_id: batchId, origin, user_id: SYSTEM_USER_ID })
  processor.wake()
  return {
    ...counts,
    batch: {
      batch_id: batchId,
      origin,
      destination,
      data,
      graph: { ...checked.graph },
      workflow,
      runs,
    },
    item_ids: itemIds,
  }
}

const checkBatch = (
  engine: GraphEngine,
  { graph, data }: Batch,
): { graph: Graph } | { faults: ValidationFault[] } => {
  const checked = engine.check(graph, [...IN_BATCH, 'graph'])
  const wrongData = dataFault(data ?? [])
  const faults = [
    ...('faults' in checked ? checked.faults : []),
    ...(wrongData === null ? [] : [valueError(wrongData, 'data', data)]),
  ]
  if ('faults' in checked || faults.length > 0) return { faults }
  const wrongInput = (data ?? [])
    .flat()
    .map((datum) => engine.checkField(checked.graph, datum))
    .find((fault) => fault !== null)
  return wrongInput === undefined ? checked : { faults: [valueError(wrongInput)] }
}

/** Builds the fault of a batch or of one of its fields. */
const valueError = (reason: string, field?: string, input?: unknown): ValidationFault => ({
  type: 'value_error',
  loc: field === undefined ? [...IN_BATCH] : [...IN_BATCH, field],
  msg: `Value error, ${reason}`,
  ...(input !== undefined && { input }),
  ctx: { error: {} },
})
