import { once } from 'node:events'
import { setImmediate as breathe } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { EVENTS_PATH, MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import type { Batch } from '#contract/queue/queue.ts'
import { graphOf } from '#testing/graph-of.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { type Figure, median, reportFigures } from './figures.ts'

export interface QueueBenchOptions {
  /** Copies per round. */
  items?: number
  rounds?: number
  listeners?: number
}

const SIDE_PX = 2048
const SMALL_PX = 1024
const RESIZES = 8
const EVENTS = 500
/** Events emitted in one turn of the event loop. */
const EVENTS_A_TURN = 20

/** Runs a graph this many times and returns the completed items per second. */
async function itemsPerSecond(
  server: RunningServer,
  graph: Batch['graph'],
  runs: number,
): Promise<number> {
  let left = runs
  const ended = Promise.withResolvers<void>()
  const stop = server.events.listen(({ event, data }) => {
    if (event !== 'session_complete') return
    if (data.status !== 'completed') ended.reject(new Error(`An item is ${data.status}.`))
    left -= 1
    if (left === 0) ended.resolve()
  })
  const began = performance.now()
  await server.client.queue.enqueue({ graph, runs })
  await ended.promise
  stop()
  return (runs * 1000) / (performance.now() - began)
}

async function bareResizesPerSecond(bytes: Uint8Array, sidePx: number): Promise<number> {
  const began = performance.now()
  for (let done = 0; done < RESIZES; done++) {
    const resized = sharp(bytes).resize(sidePx, sidePx, { kernel: 'lanczos3' })
    await resized.png().toBuffer()
  }
  return (RESIZES * 1000) / (performance.now() - began)
}

/** Opens a listener from its own address, because an address may have only sixteen sockets. */
async function listen(url: string, number: number): Promise<{ count: number; socket: WebSocket }> {
  const localAddress = `127.0.0.${1 + Math.floor(number / MAX_SOCKETS_PER_ADDRESS)}`
  const address = `${url.replace('http', 'ws')}${EVENTS_PATH}?client_id=${number}`
  const listener = { count: 0, socket: new WebSocket(address, { localAddress }) }
  listener.socket.on('message', () => {
    listener.count += 1
  })
  await once(listener.socket, 'open')
  return listener
}

/** Returns the events per second until each listener has received all of them. */
async function eventsPerSecond(server: RunningServer, listenerCount: number): Promise<number> {
  const numbers = Array.from({ length: listenerCount }, (_, number) => number)
  const listeners = await Promise.all(numbers.map((number) => listen(server.url, number)))
  const began = performance.now()
  for (let sent = 0; sent < EVENTS; sent++) {
    server.events.emit('queue_cleared', { queue_id: 'default', user_id: null })
    if (sent % EVENTS_A_TURN === 0) await breathe()
  }
  while (listeners.some(({ count }) => count < EVENTS)) await breathe()
  const perSecond = (EVENTS * 1000) / (performance.now() - began)
  for (const { socket } of listeners) socket.terminate()
  return perSecond
}

/** Measures the throughput of the queue, compared with bare sharp, and the rate of its events. */
export const bench = async (options: QueueBenchOptions = {}): Promise<Figure[]> => {
  const { items = 50, rounds = 3, listeners = 50 } = options
  const server = await startServer()
  try {
    const { uploads } = server.client
    const small = await uploads.upload({ bytes: await drawFile('small.png') })
    const size = { widthPx: SIDE_PX, heightPx: SIDE_PX }
    const bytes = new Uint8Array(await (await drawFile('large.png', size)).arrayBuffer())
    const large = await uploads.upload({ bytes: new Blob([bytes]) })
    const make = (type: string, image_name: string, more = {}) =>
      graphOf({ node: { type, image: { image_name }, use_cache: false, ...more } })
    const copy = make('save_image', small.image_name)
    const toSide = (sidePx: number) => ({
      width: sidePx,
      height: sidePx,
      resample_mode: 'lanczos',
    })
    const shrink = make('img_resize', large.image_name, toSide(SMALL_PX))
    const half = await sharp(bytes).resize(SMALL_PX).png().toBuffer()
    const halfImage = await uploads.upload({ bytes: new Blob([new Uint8Array(half)]) })
    const enlarge = make('img_resize', halfImage.image_name, toSide(SIDE_PX))
    await itemsPerSecond(server, copy, 1) // the engine starts with the first item

    const rates = {
      copies: [] as number[],
      shrinks: [] as number[],
      bareShrinks: [] as number[],
      enlarges: [] as number[],
      bareEnlarges: [] as number[],
    }
    const events: number[] = []
    for (let round = 0; round < rounds; round++) {
      rates.copies.push(await itemsPerSecond(server, copy, items))
      rates.shrinks.push(await itemsPerSecond(server, shrink, RESIZES))
      rates.bareShrinks.push(await bareResizesPerSecond(bytes, SMALL_PX))
      rates.enlarges.push(await itemsPerSecond(server, enlarge, RESIZES))
      rates.bareEnlarges.push(await bareResizesPerSecond(half, SIDE_PX))
      events.push(await eventsPerSecond(server, listeners))
    }
    const megapixels = SIDE_PX ** 2 / 1e6
    return [
      { name: 'copies by save_image', value: median(rates.copies), unit: 'items/s' },
      {
        name: `resize ${SIDE_PX} to ${SMALL_PX} px through the queue, saved`,
        value: median(rates.shrinks) * megapixels,
        unit: 'megapixels/s',
        baseline: { name: 'bare sharp', value: median(rates.bareShrinks) * megapixels },
        mark: '0.6 x',
      },
      {
        name: `resize ${SMALL_PX} to ${SIDE_PX} px through the queue, saved`,
        value: median(rates.enlarges) * megapixels,
        unit: 'megapixels/s',
        baseline: { name: 'bare sharp', value: median(rates.bareEnlarges) * megapixels },
        mark: '0.6 x',
      },
      { name: `events to ${listeners} listeners`, value: median(events), unit: 'events/s' },
    ]
  } finally {
    await server.close()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      items: { type: 'string' },
      rounds: { type: 'string' },
      listeners: { type: 'string' },
    },
    strict: false,
  })
  const [items, listeners] = [Number(values.items ?? 50), Number(values.listeners ?? 50)]
  const rounds = Number(values.rounds ?? 3)
  reportFigures('queue', await bench({ items, listeners, rounds }))
}
