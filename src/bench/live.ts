import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import pLimit from 'p-limit'
import { WebSocket } from 'ws'
import { seenAt } from '#bench/generations/generation-events.ts'
import * as probe from '#bench/generations/generations-probe.ts'
import { memoryOf } from '#bench/records/mixed-use.ts'
import { findOrInstallChromium } from '#build/browsers.ts'
import { buildPage } from '#build/build-page.ts'
import { connect, type TesseraClient } from '#client/index.ts'
import {
  CHANGES_KEY,
  CLIENT_ID_KEY,
  EVENTS_PATH,
  MAX_SOCKETS_PER_ADDRESS,
} from '#contract/events.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'

/**
 * Measures how soon an open page shows what another client changes, and what that costs the server.
 * `node src/bench/live.ts --images 1000 --repeat 20 --seconds 30 --uploads 500`; `--only page` or `--only server`
 * runs one half.
 */
const { values: flags } = parseArgs({
  options: {
    images: { type: 'string', default: '1000' },
    repeat: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '30' },
    uploads: { type: 'string', default: '500' },
    only: { type: 'string' },
  },
  strict: false,
})
const imageCount = Number(flags.images)
const repeat = Number(flags.repeat)

const CONNECTIONS = 16
/** Uploads a second while the page is watched. */
const SOME_UPLOADS = 30
const MANY_UPLOADS = 100
const PAGES = 50
/** Enough sockets that their memory exceeds the noise of the process. */
const SOCKETS = 400
const CAUGHT_UP = 1_000
const ROUNDS = 3

const file = await drawFile('live.png')
const dataFolder = await createTemporaryFolder()
console.log(`Filling a library of ${imageCount.toLocaleString('en')} …`)
await fillLibrary(dataFolder, { imageCount, pictureCount: 50, longestPx: 512 })
await buildPage()
const server = await ServerProcess.start({ dataFolder })
const client = connect({ baseUrl: server.url })
try {
  reportFigures('live', [
    ...(flags.only === 'server' ? [] : await measurePage()),
    ...(flags.only === 'page' ? [] : await measureServer()),
  ])
} finally {
  client.close()
  await server.close()
  await removeFolder(dataFolder)
}

async function measureServer(): Promise<Figure[]> {
  return [await measureUploads(), await measureCatchUp(), await measureMemory()]
}

async function measurePage(): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: findOrInstallChromium('whole').path,
    args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${server.url}/?board=none`)
    await page.waitForFunction(probe.isLoaded, undefined, { polling: 'raf' })
    const ofLibrary = `${imageCount.toLocaleString('en')} images`
    await measureStars(page) // loads the code
    const { boardId } = await client.boards.createBoard('Uploads')
    const quiet = await measureStars(page)
    const uploads = startUploads(SOME_UPLOADS, boardId)
    const busy = await measureStars(page)
    const some = await uploads.stop()
    return [
      {
        name: `star by another client until the page shows it, p95, ${ofLibrary}`,
        value: p95(quiet),
        unit: 'ms',
        mark: '400',
      },
      {
        name: `the same during ${Math.round(some)} uploads a second`,
        value: p95(busy),
        unit: 'ms',
        baseline: { name: 'without uploads', value: p95(quiet) },
        mark: '800',
      },
      await measureRequests(page),
    ]
  } finally {
    await browser.close()
  }
}

/** Stars and unstars visible images, and returns how soon the page shows each change, in milliseconds. */
async function measureStars(page: Page): Promise<number[]> {
  const names = await page.$$eval('[data-name]', (tiles) =>
    tiles.map((tile) => tile.getAttribute('data-name') ?? ''),
  )
  const times: number[] = []
  for (let at = 0; at < repeat; at += 1) {
    const name = names[at % Math.min(names.length, 10)] ?? ''
    await client.images.unstar([name])
    await seenAt(page, probe.unstarredAt, name)
    const began = Date.now()
    await client.images.star([name])
    times.push((await seenAt(page, probe.starredAt, name)) - began)
  }
  return times
}

/** Counts the requests of a page for data while another client uploads to the board that it shows. */
async function measureRequests(page: Page): Promise<Figure> {
  let count = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') count += 1
  })
  const began = performance.now()
  const uploads = startUploads(MANY_UPLOADS, undefined)
  await delay(Number(flags.seconds) * 1000)
  const rate = await uploads.stop()
  return {
    name: `requests of a page while another client uploads ${Math.round(rate)} images a second`,
    value: (count * 1000) / (performance.now() - began),
    unit: 'requests/s',
    mark: 'at most 2',
  }
}

/** Uploads images at this rate, or as fast as the server can. `stop` returns the rate that it reached. */
function startUploads(perSecond: number, boardId: string | undefined) {
  const began = performance.now()
  let sent = 0
  let isOver = false
  const send = async () => {
    while (!isOver) {
      const dueAt = began + (sent * 1000) / perSecond
      sent += 1
      await delay(Math.max(0, dueAt - performance.now()))
      await client.uploads.upload({ bytes: file }, { boardId })
    }
  }
  const sending = Promise.all(Array.from({ length: CONNECTIONS }, send))
  return {
    stop: async (): Promise<number> => {
      isOver = true
      await sending
      return (sent * 1000) / (performance.now() - began)
    },
  }
}

/** Alternates uploads without a listener and with one for each of fifty pages. */
async function measureUploads(): Promise<Figure> {
  const alone: number[] = []
  const watched: number[] = []
  await uploadsPerSecond() // loads the code
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await uploadsPerSecond())
    const sockets = await openSockets(PAGES)
    watched.push(await uploadsPerSecond())
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

async function uploadsPerSecond(): Promise<number> {
  const count = Number(flags.uploads)
  const began = performance.now()
  await pLimit(CONNECTIONS).map(Array(count), () => client.uploads.upload({ bytes: file }))
  return (count * 1000) / (performance.now() - began)
}

/** Opens sockets that ask for changes, from several addresses, because each may have only sixteen. */
function openSockets(count: number): Promise<WebSocket[]> {
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

async function measureCatchUp(): Promise<Figure> {
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

async function measureMemory(): Promise<Figure> {
  const before = await memoryOf(server.pid, 'VmRSS')
  const sockets = await openSockets(SOCKETS)
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

function p95(values: readonly number[]): number {
  const inOrder = [...values].sort((one, other) => one - other)
  return inOrder[Math.ceil(inOrder.length * 0.95) - 1] ?? Number.NaN
}
