import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type Figure, median } from '#bench/figures.ts'
import { seenAt } from '#bench/generations/generation-events.ts'
import * as probe from '#bench/generations/generations-probe.ts'
import { watchTasks } from '#bench/page/watch-tasks.ts'
import { findOrInstallChromium } from '#build/browsers.ts'
import type { TesseraClient } from '#client/index.ts'
import type { ServerProcess } from '#testing/server/server-process.ts'

const CONNECTIONS = 16
/** Uploads a second while the page is watched. */
const SOME_UPLOADS = 30
const MANY_UPLOADS = 100
const MOVED = 50_000
const CAUGHT_UP = 1_000
/** The time between two changes, in milliseconds. The page asks at most every 650 ms while changes go on. */
const PAUSE_MS = 1_500

export interface Subject {
  readonly server: ServerProcess
  readonly client: TesseraClient
  readonly file: Blob
  readonly imageCount: number
  readonly repeat: number
}

/** Measures what an open page shows of the changes of another client, and what it asks for. */
export async function measurePage(subject: Subject & { seconds: number }): Promise<Figure[]> {
  const { server, client, imageCount, seconds } = subject
  const browser = await openBrowser()
  try {
    const page = await openPage(browser, server.url)
    const of = `${imageCount.toLocaleString('en')} images`
    await measureStars(page, client, 2) // loads the code
    const quiet = await measureStars(page, client, subject.repeat)
    const { boardId } = await client.boards.createBoard('Uploads')
    const uploads = startUploads(subject, SOME_UPLOADS, boardId)
    const busy = await measureStars(page, client, subject.repeat)
    const rate = Math.round(await uploads.stop())
    return [
      {
        name: `star by another client until the page shows it, p95, ${of}`,
        value: p95(quiet),
        unit: 'ms',
        mark: '400',
      },
      {
        name: `the same during ${rate} uploads a second`,
        value: p95(busy),
        unit: 'ms',
        baseline: { name: 'without uploads', value: p95(quiet) },
        mark: '800',
      },
      await measureRequests(page, subject, seconds),
      ...(await measureMove(page, subject)),
      ...(await measureReturn(browser, subject)),
    ]
  } finally {
    await browser.close()
  }
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findOrInstallChromium('whole').path,
    args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
  })

/** Opens Assets, with its images loaded. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/?board=none`)
  await page.waitForFunction(probe.isLoaded, undefined, { polling: 'raf' })
  return page
}

const visibleNames = (page: Page): Promise<string[]> =>
  page.$$eval('[data-name]', (tiles) => tiles.map((tile) => tile.getAttribute('data-name') ?? ''))

/** Stars visible images, and returns how soon the page shows each star, in milliseconds. */
export async function measureStars(
  page: Page,
  client: TesseraClient,
  repeat: number,
): Promise<number[]> {
  const names = await visibleNames(page)
  const times: number[] = []
  for (let at = 0; at < repeat; at += 1) {
    const name = names[at % Math.min(names.length, 10)] ?? ''
    await client.images.unstar([name])
    await seenAt(page, probe.unstarredAt, name)
    await delay(PAUSE_MS)
    const began = Date.now()
    await client.images.star([name])
    times.push((await seenAt(page, probe.starredAt, name)) - began)
    await delay(PAUSE_MS)
  }
  return times
}

/** Counts the requests of a page for data while another client uploads to the board that it shows. */
async function measureRequests(page: Page, subject: Subject, seconds: number): Promise<Figure> {
  const counts = new Map<string, number>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (['fetch', 'xhr'].includes(request.resourceType()))
      counts.set(pathname, (counts.get(pathname) ?? 0) + 1)
  })
  const began = performance.now()
  const uploads = startUploads(subject, MANY_UPLOADS, undefined)
  await delay(seconds * 1000)
  const rate = Math.round(await uploads.stop())
  const count = [...counts.values()].reduce((sum, more) => sum + more, 0)
  console.log('Requests of the page during the uploads:', Object.fromEntries(counts))
  return {
    name: `requests of a page while another client uploads ${rate} images a second`,
    value: (count * 1000) / (performance.now() - began),
    unit: 'requests/s',
    mark: 'at most 2',
  }
}

/** Uploads images at this rate, or as fast as the server can. `stop` returns the rate that it reached. */
function startUploads(
  { client, file }: Subject,
  perSecond: number,
  boardId: string | undefined,
): { stop(): Promise<number> } {
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
    stop: async () => {
      isOver = true
      await sending
      return (sent * 1000) / (performance.now() - began)
    },
  }
}

/** Moves the images that the page shows, and many more, to a board, right after the uploads. */
async function measureMove(page: Page, { client, imageCount }: Subject): Promise<Figure[]> {
  const { boardId } = await client.boards.createBoard('Moved')
  const { image_names: all } = await client.images.names({ boardId: 'none' })
  const names = all.slice(0, Math.min(MOVED, Math.floor(imageCount / 2)))
  const shown = (await visibleNames(page)).filter((name) => names.includes(name))
  const endOfTasks = await watchTasks(page)
  await client.images.move(names, boardId)
  const moved = Date.now()
  const times = await Promise.all(shown.map((name) => seenAt(page, probe.goneAt, name)))
  await delay(PAUSE_MS)
  const of = `a move of ${names.length.toLocaleString('en')} images by another client`
  return [
    {
      name: `from the answer to ${of} until the page shows it`,
      value: Math.max(...times) - moved,
      unit: 'ms',
      mark: '2,000',
    },
    ...(await endOfTasks(`of the page during ${of}`)),
  ]
}

/** Measures how soon a page is right again after it was offline. */
async function measureReturn(browser: Browser, subject: Subject): Promise<Figure[]> {
  const { server, client, repeat, imageCount } = subject
  const few: number[] = []
  const all: number[] = []
  const opened: number[] = []
  for (let run = 0; run < Math.min(repeat, 5); run += 1) {
    const began = Date.now()
    const page = await openPage(browser, server.url)
    opened.push(Date.now() - began)
    await delay(PAUSE_MS)
    const [name = ''] = await visibleNames(page)
    const away = async (change: () => Promise<unknown>) => {
      await client.images.unstar([name])
      await seenAt(page, probe.unstarredAt, name)
      await page.context().setOffline(true)
      await change()
      await client.images.star([name])
      const back = Date.now()
      await page.context().setOffline(false)
      return (await seenAt(page, probe.starredAt, name)) - back
    }
    const changeFew = async () => {
      for (let count = 1; count < CAUGHT_UP; count += 1)
        await client.images.update(name, { starred: count % 2 === 0 })
    }
    few.push(await away(changeFew))
    const { image_names: names } = await client.images.names({})
    all.push(await away(() => client.images.star(names)))
    await client.images.unstar(names)
    await page.context().close()
  }
  return [
    {
      name: `a page that missed ${CAUGHT_UP.toLocaleString('en')} changes is right again`,
      value: median(few),
      unit: 'ms',
      mark: '150',
    },
    {
      name: `a page that missed a change of all ${imageCount.toLocaleString('en')} images is right again`,
      value: median(all),
      unit: 'ms',
      baseline: { name: 'opening the page', value: median(opened) },
      mark: '1 x',
    },
  ]
}

export function p95(values: readonly number[]): number {
  const inOrder = [...values].sort((one, other) => one - other)
  return inOrder[Math.ceil(inOrder.length * 0.95) - 1] ?? Number.NaN
}
