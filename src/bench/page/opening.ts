import { setTimeout } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { type Figure, median } from '#bench/figures.ts'
import { screenShownAt, showBareScreen, thumbnailsOnScreen } from './scroll-probe.ts'

/** A slow connection and a phone's processor, as Lighthouse simulates them. */
const BYTES_PER_SECOND = 1_600_000 / 8
const LATENCY_MS = 150
const SLOWDOWN = 4
const PHONE = { width: 390, height: 844 }

/** Chromium loads hundreds of scripts for the address bar of a new window, which take this long, in milliseconds. */
const NEW_WINDOW_MS = 2_000

/** The rest of the page loads after its first pictures, and takes less than this, in milliseconds. */
const REST_MS = 2_000

/**
 * Measures the first screenful next to a bare page of the same pictures, alternating, and how much of it the main
 * thread worked. The rest is waiting for answers.
 */
export async function measureOpening(
  browser: Browser,
  url: string,
  of: string,
  repeat: number,
): Promise<Figure[]> {
  const openings: Opening[] = []
  for (let run = 0; run < repeat; run++) openings.push(await openOnce(browser, url))
  const middle = (key: keyof Opening) => median(openings.map((opening) => opening[key]))
  const ofIt = `of the first screenful, ${of}`
  return [
    {
      name: `first screenful, ${of}`,
      value: middle('shownMs'),
      unit: 'ms',
      baseline: { name: 'bare page', value: middle('bareMs') },
      mark: 'at most 2 x',
    },
    { name: `scripts ${ofIt}`, value: middle('scriptMs'), unit: 'ms' },
    { name: `style and layout ${ofIt}`, value: middle('layoutMs'), unit: 'ms' },
    { name: `JSON before it, ${of}`, value: middle('jsonKb'), unit: 'KB', mark: 'under 150' },
  ]
}

interface Opening {
  shownMs: number
  bareMs: number
  scriptMs: number
  layoutMs: number
  jsonKb: number
}

async function openOnce(browser: Browser, url: string): Promise<Opening> {
  const page = await openSettledPage(browser)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const countJson = await countJsonBytes(session)
  await page.goto(url, { waitUntil: 'commit' })
  const shownMs = await shownAt(page)
  const { metrics } = await session.send('Performance.getMetrics')
  const msOf = (name: string) => 1_000 * (metrics.find((one) => one.name === name)?.value ?? 0)
  const thumbnails = await page.evaluate(thumbnailsOnScreen)
  await page.context().close()
  return {
    shownMs,
    bareMs: await openBareScreen(browser, url, thumbnails),
    scriptMs: msOf('ScriptDuration'),
    layoutMs: msOf('LayoutDuration') + msOf('RecalcStyleDuration'),
    jsonKb: countJson() / 1_000,
  }
}

/** Opens a small text of the server, and shows these pictures in its place. */
async function openBareScreen(
  browser: Browser,
  url: string,
  thumbnails: Parameters<typeof showBareScreen>[0],
): Promise<number> {
  const page = await openSettledPage(browser)
  await page.goto(new URL('/robots.txt', url).href)
  const openedMs = await page.evaluate(
    () => performance.getEntriesByType('navigation')[0]?.duration ?? Number.NaN,
  )
  const picturesMs = await page.evaluate(showBareScreen, thumbnails)
  await page.context().close()
  return openedMs + picturesMs
}

async function countJsonBytes(session: CDPSession): Promise<() => number> {
  await session.send('Network.enable')
  let bytes = 0
  const requests = new Set<string>()
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.includes('json')) requests.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (requests.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}

/** Opens a page without Playwright's viewport, which would override the real device pixel ratio. */
export async function openPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: null })).newPage()
}

async function openSettledPage(browser: Browser): Promise<Page> {
  const page = await openPage(browser)
  await setTimeout(NEW_WINDOW_MS)
  return page
}

/** Opens the gallery, and waits until the rest of the page around the pictures is loaded too. */
export async function openWhole(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await shownAt(page)
  await setTimeout(REST_MS)
}

/** Returns the time from the request of the page to a screen full of thumbnails, in milliseconds. */
export async function shownAt(page: Page): Promise<number> {
  const handle = await page.waitForFunction(screenShownAt, undefined, { polling: 'raf' })
  return (await handle.jsonValue()) ?? Number.NaN
}

interface Visit {
  frameMs: number
  firstPictureMs: number
  allPicturesMs: number
}

/** Measures the first visit with a slow phone: the frame of the page, its first picture, and all pictures. */
export async function measureFirstVisit(
  browser: Browser,
  url: string,
  of: string,
  repeat: number,
): Promise<Figure[]> {
  const visits: Visit[] = []
  for (let run = 0; run < repeat; run++) visits.push(await visitFirst(browser, url))
  const figure = (name: string, key: keyof Visit, mark: string): Figure => ({
    name: `${name} on a slow phone, first visit, ${of}`,
    value: median(visits.map((visit) => visit[key])),
    unit: 'ms',
    mark,
  })
  return [
    figure('frame of the page', 'frameMs', '1,500'),
    figure('first picture', 'firstPictureMs', '3,000'),
    figure('all pictures', 'allPicturesMs', '4,000'),
  ]
}

async function visitFirst(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({
    ...{ viewport: PHONE, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    serviceWorkers: 'block',
  })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await page.goto(url, { waitUntil: 'commit' })
    const first = await page.waitForFunction(pictureShownAt, undefined, { polling: 'raf' })
    const all = await page.waitForFunction(screenShownAt, undefined, { polling: 'raf' })
    return {
      frameMs: await page.evaluate(firstContentAt),
      firstPictureMs: (await first.jsonValue()) ?? Number.NaN,
      allPicturesMs: (await all.jsonValue()) ?? Number.NaN,
    }
  } finally {
    await context.close()
  }
}

/** Returns when a tile shows its picture, by `performance.now()`, or `null` if none does. */
function pictureShownAt(): number | null {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('[data-picture] img')]
  const isShown = pictures.some(({ complete, naturalWidth }) => complete && naturalWidth > 0)
  return isShown ? performance.now() : null
}

function firstContentAt(): number {
  return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
}
