import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { WebSocket } from 'ws'
import { type Figure, median } from '#bench/figures.ts'
import { memoryOf } from '#bench/records/mixed-use.ts'
import type { TesseraClient } from '#client/index.ts'
import {
  CHANGES_KEY,
  CLIENT_ID_KEY,
  EVENTS_PATH,
  MAX_SOCKETS_PER_ADDRESS,
} from '#contract/events.ts'
import type { Subject } from './live-page.ts'

const CONNECTIONS = 16
const PAGES = 50
/** Enough sockets that their memory exceeds the noise of the process. */
const SOCKETS = 400
const CAUGHT_UP = 1_000
const ROUNDS = 3

interface ServerSubject extends Subject {
  /** The number of uploads in each round. */
  readonly uploads: number
}

/** Measures what open pages cost the server. */
export async function measureServer(subject: ServerSubject): Promise<Figure[]> {
  return [
    await measureUploads(subject),
    await measureCatchUp(subject),
    await measureMemory(subject),
  ]
}

/** Alternates uploads without a listener and with one for each of fifty pages. */
async function measureUploads(subject: ServerSubject): Promise<Figure> {
  const alone: number[] = []
  const watched: number[] = []
  await uploadsPerSecond(subject) // loads the code
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await uploadsPerSecond(subject))
    const sockets = await openSockets(subject, PAGES)
    watched.push(await uploadsPerSecond(subject))
    for (const socket of sockets) socket.terminate()
  }
  return {
    name: `uploads while ${PAGES} pages listen`,
    value: median(watched),
    unit: 'images/s',
    baseline: { name: 'while none listens', value: median(alone) },
    mark: '0.95 x',
  }
}

async function uploadsPerSecond({ client, file, uploads: count }: ServerSubject): Promise<number> {
  const began = performance.now()
  await pLimit(CONNECTIONS).map(Array(count), () => client.uploads.upload({ bytes: file }))
  return (count * 1000) / (performance.now() - began)
}

/** Opens sockets that ask for changes, from several addresses, because each may have only sixteen. */
function openSockets({ server }: ServerSubject, count: number): Promise<WebSocket[]> {
  const open = async (number: number) => {
    const localAddress = `127.0.1.${1 + Math.floor(number / MAX_SOCKETS_PER_ADDRESS)}`
    const query = new URLSearchParams({ [CLIENT_ID_KEY]: `${number}`, [CHANGES_KEY]: 'true' })
    const url = `${server.url.replace('http', 'ws')}${EVENTS_PATH}?${query}`
    const socket = new WebSocket(url, { localAddress })
    await once(socket, 'open')
    return socket
  }
  return pLimit(CONNECTIONS).map(
    Array.from({ length: count }, (_, number) => number),
    open,
  )
}

async function measureCatchUp({ client, file, repeat }: ServerSubject): Promise<Figure> {
  const { new_state: since } = await client.changes.list()
  const { image_name } = await client.uploads.upload({ bytes: file })
  for (let count = 1; count < CAUGHT_UP; count += 1) {
    await client.images.update(image_name, { starred: count % 2 === 0 })
  }
  const times: number[] = []
  for (let run = 0; run < repeat; run += 1) {
    const began = performance.now()
    await catchUp(client, since)
    times.push(performance.now() - began)
  }
  return {
    name: `list of ${CAUGHT_UP.toLocaleString('en')} changes`,
    value: median(times),
    unit: 'ms',
    mark: '150',
  }
}

async function catchUp({ changes }: TesseraClient, since: string): Promise<void> {
  for (let state = since, hasMore = true; hasMore; ) {
    const found = await changes.list({ since: state })
    state = found.new_state
    hasMore = found.has_more
  }
}

async function measureMemory(subject: ServerSubject): Promise<Figure> {
  const { server } = subject
  const before = await memoryOf(server.pid, 'VmRSS')
  const sockets = await openSockets(subject, SOCKETS)
  await delay(1000)
  const after = await memoryOf(server.pid, 'VmRSS')
  for (const socket of sockets) socket.terminate()
  return {
    name: `memory of a connected page, of ${SOCKETS}`,
    value: ((after - before) * 1000) / SOCKETS,
    unit: 'KB',
    mark: '50',
  }
}
