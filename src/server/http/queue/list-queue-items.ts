import { Readable } from 'node:stream'
import type { QueueItem } from '#contract/queue.ts'
import { listQueueItems } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listQueueItemsRoute = defineRoute(
  listQueueItems,
  async ({ queue }, { params, query, reply }) => {
    const pages = queue.inOrder(params.queue_id, query.destination ?? null)
    // Before the answer begins: from then on a refusal could only cut it off.
    const { value: first = [] } = await pages.next()
    return reply.type('application/json').send(Readable.from(listOf(first, pages)))
  },
)

async function* listOf(first: readonly QueueItem[], others: AsyncIterable<readonly QueueItem[]>) {
  yield `[${membersOf(first)}`
  for await (const items of others) if (items.length > 0) yield `,${membersOf(items)}`
  yield ']'
}

const membersOf = (items: readonly QueueItem[]): string => JSON.stringify(items).slice(1, -1)
