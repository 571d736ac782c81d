import { onTestFinished } from 'vitest'
import type { EventName, ServerEvent } from '#contract/events.ts'
import type { Batch } from '#contract/queue/queue.ts'
import type { ServerOptions } from '#server/start/server-options.ts'
import { graphOf } from '#testing/graph-of.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

/** A real server with its queue, recording all of its events. */
export interface QueueServer extends RunningServer {
  /** Events since the start or the last call of `forget`, in order. */
  readonly recorded: ServerEvent[]
  forget(): void
  /** Stops recording events. */
  stopListening(): void
  /** Returns the data of the first matching event, and waits for it if necessary. */
  event<Name extends EventName>(
    name: Name,
    is?: (data: Extract<ServerEvent, { event: Name }>['data']) => boolean,
  ): Promise<Extract<ServerEvent, { event: Name }>['data']>
  /** Returns the recorded events as lines: the name with the status or the node. */
  lines(): string[]
  /** Enqueues a batch and returns the ids of its items, oldest first. */
  enqueue(batch: Partial<Batch> & Pick<Batch, 'graph'>, prepend?: boolean): Promise<number[]>
  /** Enqueues an item that outlasts any test, and waits until it is running. */
  enqueueEndless(batch?: Partial<Batch>): Promise<number>
}

/** A graph that adds two numbers: `node.a + node.b`. */
export const sum = graphOf({ node: { type: 'add', a: 1, b: 2, use_cache: false } })

/** A graph that fails when it runs, because it has no image. */
export const failing = graphOf({ node: { type: 'save_image' } })

/** A graph of thousands of nodes. It runs for seconds, so that a test can cancel it. */
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

/** Shares one server between the tests of a file (`reuseServer`). Item ids continue from test to test. */
export function reuseQueue(): () => Promise<QueueServer> {
  const getServer = reuseServer()
  return async () => {
    const queue = listenTo(await getServer())
    onTestFinished(queue.stopListening)
    return queue
  }
}

function listenTo(server: RunningServer): QueueServer {
  const recorded: ServerEvent[] = []
  let onEvent = () => {}
  const stopListening = server.events.listen((event) => {
    // Only clients that ask for the changes of the library receive them.
    if (event.event === 'library_changed') return
    recorded.push(event)
    onEvent()
  })
  const event: QueueServer['event'] = async (name, is = () => true) => {
    for (;;) {
      const found = recorded.find((one) => one.event === name && is(one.data as never))
      if (found) return found.data as never
      await new Promise<void>((resolve) => {
        onEvent = resolve
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
    recorded,
    forget: () => recorded.splice(0),
    stopListening,
    event,
    lines: () => recorded.map(lineOf),
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
