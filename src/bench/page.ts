import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findOrInstallChromium } from '#build/browsers.ts'
import { buildPage } from '#build/build-page.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'
import { flingGrid } from './page/fling-grid.ts'
import { measureFirstVisit, measureOpening, openPage, openWhole, shownAt } from './page/opening.ts'
import {
  comparedAfter,
  type GridBox,
  jumpTo,
  measureGrid,
  measureTiles,
  scrollSteadily,
  showBareTiles,
  watchComparison,
} from './page/scroll-probe.ts'

/**
 * Measures the page in a real Chromium for each library size, layout and device pixel ratio: the first screen, its
 * JSON, the comparison, frames while scrolling, jumps, and flings of a finger. `node src/bench/page.ts --images 1000,100000
 * --ratios 1,2 --layouts fill,rows --repeat 5`
 *
 * Without a GPU, Chromium itself may miss 55 frames per second, so the frame rate is compared with that of a
 * bare page of `<img>` tiles in the same browser.
 *
 * `--only first-visit`, `opening`, `compare`, `scrolling` or `flings` runs one of these measurements. `--data FOLDER` measures an
 * existing library without changing it; `--images` names its size. `--idle SECONDS` lets the server finish
 * its startup checks before the page is opened.
 */
const { values: flags } = parseArgs({
  options: {
    images: { type: 'string', default: '1000,100000' },
    ratios: { type: 'string', default: '1,2' },
    layouts: { type: 'string', default: 'fill,rows' },
    repeat: { type: 'string', default: '5' },
    pictures: { type: 'string', default: '500' },
    data: { type: 'string' },
    only: { type: 'string' },
    idle: { type: 'string', default: '0' },
  },
  strict: false,
})
const numbers = (text: unknown) => String(text).split(',').map(Number)
const repeat = Number(flags.repeat)
const layouts = String(flags.layouts).split(',')

/** Reading speed, a steady wheel, and a fling, in pixels per frame. */
const SPEEDS = [120, 600, 2400]
const SCROLL_MS = 2_000

/** A quick person needs this long between a click and a key. */
const BETWEEN_INPUTS_MS = 300

/** Number of tiles of the bare page, the maximum that one request may list. */
const BARE_TILES = 1_000

await buildPage()
const figures: Figure[] = []
for (const imageCount of numbers(flags.images)) {
  const dataFolder = flags.data === undefined ? await filledLibrary(imageCount) : String(flags.data)
  const server = await ServerProcess.start({ dataFolder })
  try {
    await setTimeout(Number(flags.idle) * 1_000)
    for (const layout of layouts)
      for (const ratio of numbers(flags.ratios))
        figures.push(...(await measure(server.url, imageCount, ratio, layout)))
  } finally {
    await server.close()
    if (flags.data === undefined) await rm(dataFolder, { recursive: true, force: true })
  }
}
reportFigures('page', withBaselines(figures))

async function filledLibrary(imageCount: number): Promise<string> {
  const dataFolder = await createTemporaryFolder()
  console.log(`Filling a library of ${imageCount.toLocaleString('en')} …`)
  await fillLibrary(dataFolder, {
    imageCount,
    pictureCount: Number(flags.pictures),
    longestPx: 768,
  })
  return dataFolder
}

async function measure(server: string, imageCount: number, ratio: number, layout: string) {
  const { href: url } = new URL(`/?tiles=${layout}`, server)
  const browser = await chromium.launch({
    executablePath: findOrInstallChromium('whole').path,
    args: ['--no-sandbox', `--force-device-scale-factor=${ratio}`, '--window-size=1440,900'],
  })
  const of = `${imageCount.toLocaleString('en')} images, ratio ${ratio}, ${layout}`
  try {
    const isWanted = (part: string) => flags.only === undefined || flags.only === part
    return [
      ...(isWanted('first-visit') ? await measureFirstVisit(browser, url, of, repeat) : []),
      ...(isWanted('opening') ? await measureOpening(browser, url, of, repeat) : []),
      ...(isWanted('compare') ? await measureComparison(browser, url, of) : []),
      ...(isWanted('scrolling') ? await measureScrolling(browser, url, of, imageCount) : []),
      ...(isWanted('flings') ? await measureFlings(browser, url, of, ratio) : []),
    ]
  } finally {
    await browser.close()
  }
}

/** Measures the time from the key `C` to all thumbnails: at once in a new page, and later with other images. */
async function measureComparison(browser: Browser, url: string, of: string): Promise<Figure[]> {
  const found: Figure[] = []
  for (const count of [2, 9]) {
    const first: number[] = []
    const later: number[] = []
    for (let run = 0; run < repeat; run++) {
      const page = await openPage(browser)
      await openWhole(page, url)
      first.push(await compareOnce(page, { from: 0, count }))
      later.push(await compareOnce(page, { from: count, count }))
      await page.context().close()
    }
    const what = `comparison of ${count} with thumbnails`
    found.push(
      { name: `${what}, ${of}`, value: median(later), unit: 'ms', mark: '150' },
      { name: `${what}, in a new page, ${of}`, value: median(first), unit: 'ms', mark: '150' },
    )
  }
  return found
}

/** Selects tiles, compares them, and closes the comparison. Returns after how many milliseconds it is shown. */
async function compareOnce(page: Page, { from, count }: { from: number; count: number }) {
  const tiles = page.getByRole('gridcell')
  await tiles.nth(from).click({ modifiers: ['ControlOrMeta'] })
  await tiles.nth(from + count - 1).click({ modifiers: ['Shift'] })
  await page.evaluate(watchComparison, count)
  await setTimeout(BETWEEN_INPUTS_MS)
  await page.keyboard.press('c')
  const shownMs = await page.evaluate(comparedAfter)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Comparison' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  return shownMs
}

async function measureScrolling(
  browser: Browser,
  url: string,
  of: string,
  imageCount: number,
): Promise<Figure[]> {
  const page = await openPage(browser)
  await openWhole(page, url)
  const found: Figure[] = []
  const bare = await measureBareScrolling(browser, url, await page.evaluate(measureGrid))
  await page.bringToFront()
  for (const pixelsPerFrame of SPEEDS) {
    await page.evaluate(jumpTo, 0)
    await shownAt(page)
    const options = { pixelsPerFrame, durationMs: SCROLL_MS }
    const frames = await page.evaluate(scrollSteadily, options)
    const stopped = await page.evaluate(() => performance.now())
    const settledMs = (await shownAt(page)) - stopped
    const at = `at ${pixelsPerFrame} px a frame, ${of}`
    found.push(
      { name: `pictures after a stop ${at}`, value: settledMs, unit: 'ms', mark: '500' },
      {
        name: `frames ${at}`,
        value: frames.framesPerSecond,
        unit: 'frames/s',
        baseline: { name: 'bare page', value: bare.get(pixelsPerFrame) ?? Number.NaN },
        mark: '55',
      },
      { name: `frames over 20 ms ${at}`, value: frames.slowShare * 100, unit: '%' },
      { name: `longest task ${at}`, value: frames.longestTaskMs, unit: 'ms', mark: 'none over 50' },
    )
  }
  for (const [share, where] of [
    [0.7, '70 %'],
    [1, 'the end'],
  ] as const) {
    const jumps: number[] = []
    for (let run = 0; run < repeat; run++) {
      await page.evaluate(jumpTo, share / 2 + run / 100)
      await shownAt(page)
      const start = await page.evaluate(jumpTo, share)
      jumps.push((await shownAt(page)) - start)
    }
    found.push({ name: `jump to ${where}, ${of}`, value: median(jumps), unit: 'ms', mark: '500' })
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  found.push({ name: `DOM nodes, ${of}`, value: nodes, unit: 'nodes', mark: 'under 1,500' })
  const last = await page.getByRole('grid').getAttribute('aria-rowcount')
  const lastRow = page.locator(`[role=row][aria-rowindex="${last}"]`)
  if (!(await lastRow.isVisible())) throw new Error(`The last of ${imageCount} cannot be reached.`)
  const name = `tiles at 70 % from above and below, ${of}`
  found.push({ name, value: await measureDrift(page), unit: 'px', mark: '0' })
  await page.context().close()
  return found
}

/** Returns how far the tiles of a place differ when it is reached from the start and from the end. */
async function measureDrift(page: Page): Promise<number> {
  const [fromStart = {}, fromEnd = {}] = [
    await measureTilesAfter(page, 0),
    await measureTilesAfter(page, 1),
  ]
  const names = Object.keys(fromStart).filter((name) => name !== '' && name in fromEnd)
  if (names.length === 0) return Number.POSITIVE_INFINITY
  return Math.max(
    ...names.flatMap((name) =>
      (fromStart[name] ?? []).map((px, at) => Math.abs(px - (fromEnd[name]?.[at] ?? Number.NaN))),
    ),
  )
}

async function measureTilesAfter(page: Page, share: number) {
  await page.evaluate(jumpTo, share)
  await shownAt(page)
  await page.evaluate(jumpTo, 0.7)
  await shownAt(page)
  return page.evaluate(measureTiles)
}

/** Measures frames per second of a bare page with tiles like those of the grid, by speed. */
async function measureBareScrolling(
  browser: Browser,
  url: string,
  box: GridBox,
): Promise<Map<number, number>> {
  const page = await openPage(browser)
  await openBarePage(page, url, box)
  const found = new Map<number, number>()
  for (const pixelsPerFrame of SPEEDS) {
    await page.evaluate(jumpTo, 0)
    const options = { pixelsPerFrame, durationMs: SCROLL_MS }
    found.set(pixelsPerFrame, (await page.evaluate(scrollSteadily, options)).framesPerSecond)
  }
  await page.context().close()
  return found
}

/** Opens a bare page with tiles like those of the grid. */
async function openBarePage(page: Page, url: string, box: GridBox): Promise<void> {
  const bareUrl = new URL('/bare', url).href
  const body = '<!doctype html><meta name="viewport" content="width=device-width"><body>'
  await page.route(bareUrl, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(bareUrl)
  const answer = await fetch(new URL(`/api/v1/images/?limit=${BARE_TILES}`, url))
  const { items } = (await answer.json()) as { items: { thumbnail_url: string }[] }
  const urls = items.map(({ thumbnail_url }) => new URL(thumbnail_url, url).href)
  await page.evaluate(showBareTiles, { box, urls })
}

/** Measures flings of a finger on a phone, at the speed of this machine and four times slower. */
async function measureFlings(
  browser: Browser,
  url: string,
  of: string,
  deviceScaleFactor: number,
): Promise<Figure[]> {
  const found: Figure[] = []
  for (const slowdown of [1, 4]) {
    const viewport = { width: 390, height: 844 }
    const context = await browser.newContext({
      ...{ viewport, deviceScaleFactor, hasTouch: true, isMobile: true },
    })
    const page = await context.newPage()
    await openWhole(page, url)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const { fling, stoppedAt } = await flingGrid(page, session)
    const settledMs = (await shownAt(page)) - stoppedAt
    await openBarePage(page, url, await page.evaluate(measureGrid))
    const bare = (await flingGrid(page, session)).fling
    const at = `flinging${slowdown === 1 ? '' : `, ${slowdown} times slower`}, ${of}`
    found.push(
      {
        name: `frames ${at}`,
        value: fling.framesPerSecond,
        unit: 'frames/s',
        baseline: { name: 'bare page', value: bare.framesPerSecond },
        mark: slowdown === 1 ? '55' : '0.85 x',
      },
      { name: `frames over 20 ms ${at}`, value: fling.slowShare * 100, unit: '%' },
      { name: `tiles without a picture ${at}`, value: fling.blankShare * 100, unit: '%' },
      { name: `longest task ${at}`, value: fling.longestTaskMs, unit: 'ms', mark: 'none over 50' },
      { name: `pictures after ${at}`, value: settledMs, unit: 'ms', mark: '500' },
    )
    await context.close()
  }
  return found
}

/** Sets a baseline unless a figure has one: squares for another layout, else the smallest library. */
function withBaselines(all: Figure[]): Figure[] {
  const [smallest] = numbers(flags.images)
  const [squares] = layouts
  const label = `${smallest?.toLocaleString('en')} images`
  return all.map((figure) => {
    if (figure.baseline !== undefined) return figure
    const find = (name: string) =>
      all.find((other) => other.name === name && other !== figure && other.value !== 0)
    const ofSquares = find(figure.name.replace(/\w+$/, squares ?? ''))
    if (ofSquares) return { ...figure, baseline: { name: squares ?? '', value: ofSquares.value } }
    const ofSmallest = find(figure.name.replace(/[\d,]+ images/, label))
    return ofSmallest ? { ...figure, baseline: { name: label, value: ofSmallest.value } } : figure
  })
}
