import { Readable } from 'node:stream'
import type { QueueItem } from '#contract/queue/queue.ts'
import {
  clearInvocationCache,
  disableInvocationCache,
  enableInvocationCache,
  getInvocationCacheStatus,
} from '#contract/queue/queue-cache-operations.ts'
import {
  cancelAllExceptCurrent,
  cancelByBatchIds,
  cancelByDestination,
  cancelQueueItem,
  clearQueue,
  countByDestination,
  deleteAllExceptCurrent,
  deleteByDestination,
  deleteQueueItem,
  enqueueBatch,
  getBatchStatus,
  getCurrentQueueItem,
  getNextQueueItem,
  getQueueItem,
  getQueueSession,
  getQueueStatus,
  listQueueItemIds,
  listQueueItemSummariesByIds,
  listQueueItems,
  listQueueItemsByIds,
  pauseProcessor,
  pruneQueue,
  resumeProcessor,
  retryQueueItems,
} from '#contract/queue/queue-operations.ts'
import { ValidationFailure } from '#server/core/validation/fault-list.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const queueRoutes: readonly Route[] = [
  defineRoute(cancelAllExceptCurrent, async ({ queue }, { params }) => ({
    canceled: await queue.cancel(params.queue_id, { those: 'waiting' }),
  })),
  defineRoute(cancelByBatchIds, async ({ queue }, { params, body }) => ({
    canceled: await queue.cancel(params.queue_id, { batchIds: body.batch_ids }),
  })),
  defineRoute(cancelByDestination, async ({ queue }, { params, query }) => ({
    canceled: await queue.cancel(params.queue_id, { destination: query.destination }),
  })),
  defineRoute(cancelQueueItem, ({ queue }, { params }) =>
    queue.cancelItem(params.queue_id, params.item_id),
  ),
  defineRoute(clearInvocationCache, async ({ invocationCache }) => invocationCache.clear()),
  defineRoute(clearQueue, async ({ queue }, { params }) => ({
    deleted: await queue.clear(params.queue_id),
  })),
  defineRoute(countByDestination, ({ records }, { params, query }) =>
    records.queue.destinationCounts(params.queue_id, query.destination),
  ),
  defineRoute(deleteAllExceptCurrent, async ({ queue }, { params }) => ({
    deleted: await queue.delete(params.queue_id, { those: 'waiting' }),
  })),
  defineRoute(deleteByDestination, async ({ queue }, { params }) => ({
    deleted: await queue.delete(params.queue_id, { destination: params.destination }),
  })),
  defineRoute(deleteQueueItem, ({ queue }, { params }) =>
    queue.deleteItem(params.queue_id, params.item_id),
  ),
  defineRoute(disableInvocationCache, async ({ invocationCache }) =>
    invocationCache.setEnabled(false),
  ),
  defineRoute(enableInvocationCache, async ({ invocationCache }) =>
    invocationCache.setEnabled(true),
  ),
  defineRoute(enqueueBatch, async ({ queue }, { params, body: { batch, prepend = false } }) => {
    const result = await queue.enqueue({ queueId: params.queue_id, batch, prepend })
    if ('faults' in result) throw new ValidationFailure(result.faults)
    return result
  }),
  defineRoute(getBatchStatus, ({ records }, { params }) =>
    records.queue.batchStatus(params.queue_id, params.batch_id),
  ),
  defineRoute(getCurrentQueueItem, async ({ queue }, { params }) => {
    const [item] = await queue.items(params.queue_id, { only: 'current' })
    return item ?? null
  }),
  defineRoute(getInvocationCacheStatus, async ({ invocationCache }) => invocationCache.status()),
  defineRoute(getNextQueueItem, async ({ queue }, { params }) => {
    const [item] = await queue.items(params.queue_id, { only: 'next' })
    return item ?? null
  }),
  defineRoute(getQueueItem, async ({ queue }, { params }) =>
    withoutNulls(await queue.item(params.queue_id, params.item_id)),
  ),
  defineRoute(getQueueSession, async ({ queue }, { params }) =>
    withoutNulls(await queue.ofSession(params.queue_id, params.session_id)),
  ),
  defineRoute(getQueueStatus, ({ queue }, { params }) => queue.status(params.queue_id)),
  defineRoute(listQueueItemIds, async ({ records }, { params, query }) => {
    const item_ids = await records.queue.itemIds(params.queue_id, query.order_dir ?? 'DESC')
    return { item_ids, total_count: item_ids.length }
  }),
  // The schema of the answer drops the other fields of the items.
  defineRoute(listQueueItemSummariesByIds, async ({ records }, { params, body }) => {
    const { items } = await records.queue.items(params.queue_id, { itemIds: body.item_ids })
    return items
  }),
  defineRoute(listQueueItemsByIds, ({ queue }, { params, body }) =>
    queue.items(params.queue_id, { itemIds: body.item_ids }),
  ),
  defineRoute(listQueueItems, async ({ queue }, { params, query, reply }) => {
    const pages = queue.itemsInOrder(params.queue_id, query.destination ?? null)
    // Read the first page before the response begins: afterwards a refusal could only abort the stream.
    const { value: first = [] } = await pages.next()
    return reply.type('application/json').send(Readable.from(listOf(first, pages)))
  }),
  defineRoute(pauseProcessor, ({ processor }) => processor.pause()),
  defineRoute(pruneQueue, async ({ queue }, { params }) => ({
    deleted: await queue.delete(params.queue_id, { those: 'ended' }),
  })),
  defineRoute(resumeProcessor, async ({ processor }) => processor.resume()),
  defineRoute(retryQueueItems, async ({ queue }, { params, body }) => ({
    queue_id: params.queue_id,
    retried_item_ids: await queue.retry(params.queue_id, body),
  })),
]

async function* listOf(first: readonly QueueItem[], others: AsyncIterable<readonly QueueItem[]>) {
  yield `[${membersOf(first)}`
  for await (const items of others) if (items.length > 0) yield `,${membersOf(items)}`
  yield ']'
}

const membersOf = (items: readonly QueueItem[]): string => JSON.stringify(items).slice(1, -1)

/** Removes object keys with the value null, at any depth, as InvokeAI does here. Nulls in lists remain. */
function withoutNulls<T>(value: T): T {
  return strip(value) as T
}

const strip = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, strip(inner)]])),
  )
}
