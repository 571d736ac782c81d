import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InvalidRequest, notFound } from './fault.ts'
import type { Queue } from './queue.ts'
import { countsOf, isFinal, type StoredItem, summaryOf, withoutNulls } from './queue-item.ts'
import { QueryReader, readBody } from './read-request.ts'

interface OfQueue {
  Params: { queue_id: string }
}
interface OfItem {
  Params: { queue_id: string; item_id: string }
}

const PREFIX = '/api/v1/queue/:queue_id'

/**
 * Adds the queue routes.
 *
 * @param options - `userOf`: returns the account of a request. `hasSummaries`: true since 6.14.
 */
export function addQueueRoutes(
  app: FastifyInstance,
  queue: Queue,
  options: { userOf: (request: FastifyRequest) => string; hasSummaries: boolean },
): void {
  const itemOf = ({ params }: { params: OfItem['Params'] }): StoredItem => {
    const itemId = integerOf(params.item_id)
    const item = queue.in(params.queue_id).find((each) => each.item_id === itemId)
    const words = `Queue item with id ${itemId} not found in queue ${params.queue_id}`
    if (item === undefined) throw notFound(words)
    return item
  }
  const idsIn = (body: unknown) => (readBody(body).item_ids as number[]).slice(0, 1000)
  const byIds = (queueId: string, ids: number[]) =>
    ids.flatMap((id) => queue.in(queueId).find(({ item_id }) => item_id === id) ?? [])
  const live = (queueId: string) => queue.in(queueId).filter(({ status }) => !isFinal(status))
  const processor = () => ({
    is_started: !queue.isPaused,
    is_processing: queue.items.some(({ status }) => status === 'in_progress'),
  })

  app.post<OfQueue>(`${PREFIX}/enqueue_batch`, (request) =>
    queue.enqueue(request.params.queue_id, options.userOf(request), readBody(request.body)),
  )
  app.get<OfQueue>(`${PREFIX}/status`, ({ params }) => ({
    queue: queue.statusOf(params.queue_id),
    processor: processor(),
  }))
  app.get<OfItem>(`${PREFIX}/i/:item_id`, (request) => withoutNulls(itemOf(request)))
  const orNull = (item: StoredItem | undefined) => JSON.stringify(item ?? null)
  app.get<OfQueue>(`${PREFIX}/current`, ({ params }, reply) =>
    reply.type('application/json').send(orNull(queue.current(params.queue_id))),
  )
  app.get<OfQueue>(`${PREFIX}/next`, ({ params }, reply) =>
    reply.type('application/json').send(orNull(queue.next(params.queue_id))),
  )
  app.get<OfQueue>(`${PREFIX}/list_all`, (request) => {
    const destination = new QueryReader(request.query).text('destination')
    return queue
      .in(request.params.queue_id)
      .filter((item) => destination === undefined || item.destination === destination)
  })
  app.get<OfQueue>(`${PREFIX}/item_ids`, ({ params, query }) => {
    const isUp = new QueryReader(query).oneOf('order_dir', ['ASC', 'DESC']) === 'ASC'
    const ids = queue.in(params.queue_id).map(({ item_id }) => item_id)
    const item_ids = ids.sort((a, b) => (isUp ? a - b : b - a))
    return { item_ids, total_count: item_ids.length }
  })
  app.post<OfQueue>(`${PREFIX}/items_by_ids`, ({ params, body }) =>
    byIds(params.queue_id, idsIn(body)),
  )
  if (options.hasSummaries) {
    app.post<OfQueue>(`${PREFIX}/item_summaries_by_ids`, ({ params, body }) =>
      byIds(params.queue_id, idsIn(body)).map(summaryOf),
    )
  }
  app.get<{ Params: { queue_id: string; batch_id: string } }>(
    `${PREFIX}/b/:batch_id/status`,
    ({ params }) => queue.batchStatusOf(params.queue_id, params.batch_id),
  )
  app.get<OfQueue>(`${PREFIX}/counts_by_destination`, ({ params, query }) => {
    const destination = new QueryReader(query).requiredText('destination')
    const items = queue.in(params.queue_id).filter((item) => item.destination === destination)
    return { queue_id: params.queue_id, destination, ...countsOf(items) }
  })

  app.put<OfItem>(`${PREFIX}/i/:item_id/cancel`, (request) => {
    const item = itemOf(request)
    queue.change(item, 'canceled')
    return item
  })
  app.delete<OfItem>(`${PREFIX}/i/:item_id`, (request, reply) => {
    queue.delete([itemOf(request)])
    return reply.type('application/json').send('null')
  })
  app.put<OfQueue>(`${PREFIX}/cancel_by_batch_ids`, ({ params, body }) => {
    const ids = readBody(body).batch_ids as string[]
    const items = live(params.queue_id).filter(({ batch_id }) => ids.includes(batch_id))
    return { canceled: queue.cancel(params.queue_id, items) }
  })
  app.put<OfQueue>(`${PREFIX}/cancel_by_destination`, ({ params, query }) => {
    const wanted = new QueryReader(query).requiredText('destination')
    const items = live(params.queue_id).filter(({ destination }) => destination === wanted)
    return { canceled: queue.cancel(params.queue_id, items) }
  })
  const waiting = (queueId: string) =>
    live(queueId).filter(({ status }) => status !== 'in_progress')
  app.put<OfQueue>(`${PREFIX}/cancel_all_except_current`, ({ params }) => ({
    canceled: queue.cancel(params.queue_id, waiting(params.queue_id)),
  }))
  app.put<OfQueue>(`${PREFIX}/delete_all_except_current`, ({ params }) => ({
    deleted: queue.delete(waiting(params.queue_id)),
  }))
  app.put<OfQueue>(`${PREFIX}/retry_items_by_id`, (request) => ({
    queue_id: request.params.queue_id,
    retried_item_ids: queue.retry(
      request.params.queue_id,
      options.userOf(request),
      request.body as number[],
    ),
  }))
  app.put<OfQueue>(`${PREFIX}/clear`, ({ params }) => ({ deleted: queue.clear(params.queue_id) }))
  app.put<OfQueue>(`${PREFIX}/prune`, ({ params }) => ({
    deleted: queue.delete(queue.in(params.queue_id).filter(({ status }) => isFinal(status))),
  }))
  for (const [verb, isPaused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    app.put<OfQueue>(`${PREFIX}/processor/${verb}`, () => {
      queue.isPaused = isPaused
      queue.onChange()
      return processor()
    })
  }
}

function integerOf(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text)
  const msg = 'Input should be a valid integer, unable to parse string as an integer'
  throw new InvalidRequest([{ type: 'int_parsing', loc: ['path', 'item_id'], msg, input: text }])
}
