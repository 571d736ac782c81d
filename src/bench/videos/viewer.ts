import type { Browser, JSHandle, Page } from '@playwright/test'
import { type Figure, median } from '#bench/figures.ts'
import { openPage, shownAt } from '#bench/page/opening.ts'
import { connect } from '#client/connect.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { seekBare, showBareVideo, watchFrame, watchViewer } from './video-probe.ts'

const MIDDLE_S = 5

interface Times {
  openMs: number
  seekMs: number
}

/** Measures the viewer next to a page with only a `<video>`: its first frame, and a seek to the middle. */
export const viewerFigures = async (
  browser: Browser,
  film: Buffer<ArrayBuffer>,
  { rounds }: { rounds: number },
): Promise<Figure[]> => {
  const server = await ServerProcess.start()
  const client = connect({ baseUrl: server.url, timeoutMs: 120_000 })
  try {
    const { video_url } = await client.videos.upload({
      bytes: new Blob([film]),
      fileName: 'film.mp4',
    })
    const videoUrl = new URL(video_url, server.url).href
    const [own, bare]: [Times[], Times[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await inNewPage(browser, (page) => measureBare(page, server.url, videoUrl)))
      own.push(await inNewPage(browser, (page) => measureViewer(page, server.url)))
    }
    const figure = (name: string, key: keyof Times, mark: string): Figure => ({
      name,
      value: median(own.map((times) => times[key])),
      unit: 'ms',
      baseline: { name: 'bare page', value: median(bare.map((times) => times[key])) },
      mark,
    })
    return [
      figure('first frame after opening 10 s of 1080p H.264', 'openMs', 'under 300 ms'),
      figure('seek to the middle of it', 'seekMs', 'under 150 ms'),
    ]
  } finally {
    client.events.close()
    await server.close()
  }
}

/** Each page has an empty cache. */
const inNewPage = async (
  browser: Browser,
  measure: (page: Page) => Promise<Times>,
): Promise<Times> => {
  const page = await openPage(browser)
  try {
    return await measure(page)
  } finally {
    await page.context().close()
  }
}

const measureViewer = async (page: Page, url: string): Promise<Times> => {
  await page.goto(url)
  await shownAt(page)
  const tile = page.getByRole('gridcell', { name: 'film.mp4' })
  await tile.click()
  // The page is quiet after it has loaded the parts that the first view does not need.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForLoadState('networkidle')
  const opening = await page.evaluateHandle(watchViewer)
  await page.keyboard.press('Enter')
  const openMs = await resultOf(opening)

  await page.keyboard.press('k')
  const seek = page.getByRole('slider', { name: 'Seek' })
  await seek.focus()
  await page.keyboard.press('Home')
  // The bar may still move. The preview above the pointer loads before the press.
  await page.locator('.group\\/seek').hover()
  await page.waitForLoadState('networkidle')
  const seeking = await page.evaluateHandle(watchFrame, MIDDLE_S)
  await page.mouse.down()
  const seekMs = await resultOf(seeking)
  await page.mouse.up()
  return { openMs, seekMs }
}

const measureBare = async (page: Page, url: string, videoUrl: string): Promise<Times> => {
  await page.goto(new URL('/robots.txt', url).href)
  const openMs = await page.evaluate(showBareVideo, videoUrl)
  await page.waitForLoadState('networkidle')
  return { openMs, seekMs: await page.evaluate(seekBare, MIDDLE_S) }
}

const resultOf = (watched: JSHandle<{ done: Promise<number> }>): Promise<number> =>
  watched.evaluate(({ done }) => done)
