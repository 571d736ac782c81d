import { onTestFinished } from 'vitest'
import type { EventName, ServerEvent } from '#contract/events.ts'
import type { Batch } from '#contract/queue/queue.ts'
import type { ServerOptions } from '#server/app.ts'
import { graphOf } from '#testing/graph-of.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

/** A real server, its queue, and every event that it tells. */
export interface QueueServer extends RunningServer {
  /** What was told since the start or the last `forget`, in order. */
  readonly told: ServerEvent[]
  forget(): void
  /** Records no further event. */
  stopListening(): void
  /** The first of these events that `is` holds for, told or still to come. */
  event<Name extends EventName>(
    name: Name,
    is?: (data: Extract<ServerEvent, { event: Name }>['data']) => boolean,
  ): Promise<Extract<ServerEvent, { event: Name }>['data']>
  /** What was told, as lines: the event, and the status or the node that it speaks of. */
  lines(): string[]
  /** Puts a batch in. @returns The ids of its items, the oldest first. */
  enqueue(batch: Partial<Batch> & Pick<Batch, 'graph'>, prepend?: boolean): Promise<number[]>
  /** Puts in one item that does not end by itself before a test does, and waits until it runs. */
  enqueueEndless(batch?: Partial<Batch>): Promise<number>
}

/** One item of arithmetic: `node.a + node.b`. */
export const sum = graphOf({ node: { type: 'add', a: 1, b: 2, use_cache: false } })

/** One item that fails when it runs: it has no image. */
export const failing = graphOf({ node: { type: 'save_image' } })

/** Thousands of nodes, one after the other: seconds, in which any test has canceled it. */
export const endless = graphOf(
  {
    range: { type: 'range', start: 0, stop: 4500, use_cache: false },
    each: { type: 'iterate' },
    node: { type: 'rand_int' },
  },
  ['range.collection -> each.collection', 'each.item -> node.low'],
)

export async function openQueue(
  options: Partial<Omit<ServerOptions, 'clock'>> = {},
): Promise<QueueServer> {
  return listenTo(await startServer(options))
}

/** One server for the tests of a file (`reuseServer`). The ids of items go on from test to test. */
export function reuseQueue(): () => Promise<QueueServer> {
  const getServer = reuseServer()
  return async () => {
    const queue = listenTo(await getServer())
    onTestFinished(queue.stopListening)
    return queue
  }
}

function listenTo(server: RunningServer): QueueServer {
  const told: ServerEvent[] = []
  let onTold = () => {}
  const stopListening = server.events.listen((event) => {
    told.push(event)
    onTold()
  })
  const event: QueueServer['event'] = async (name, is = () => true) => {
    for (;;) {
      const found = told.find((one) => one.event === name && is(one.data as never))
      if (found) return found.data as never
      await new Promise<void>((resolve) => {
        onTold = resolve
      })
    }
  }
  const enqueue: QueueServer['enqueue'] = async (batch, prepend = false) => {
    const { item_ids } = await server.client.queue.enqueue(batch, { prepend })
    return item_ids.reverse()
  }
  return {
    ...server,
    url: server.url,
    told,
    forget: () => told.splice(0),
    stopListening,
    event,
    lines: () => told.map(lineOf),
    enqueue,
    enqueueEndless: async (batch = {}) => {
      const [itemId = 0] = await enqueue({ graph: endless, ...batch })
      await event('invocation_complete', ({ item_id }) => item_id === itemId)
      return itemId
    },
  }
}

const lineOf = ({ event, data }: ServerEvent): string => {
  if ('status' in data) return `${event} ${data.status}`
  return 'invocation_source_id' in data ? `${event} ${data.invocation_source_id}` : event
}
