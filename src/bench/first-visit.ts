import type { Browser } from '@playwright/test'
import { type Figure, median } from './figures.ts'
import { screenShownAt } from './scroll-probe.ts'

/** A slow connection and a phone's processor, as Lighthouse simulates them. */
const BYTES_PER_SECOND = 1_600_000 / 8
const LATENCY_MS = 150
const SLOWDOWN = 4
const PHONE = { width: 390, height: 844 }

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
