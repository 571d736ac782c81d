import { rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import { findOrInstallChromium } from '#build/browsers.ts'
import { buildPage } from '#build/build-page.ts'
import { connect, type TesseraClient } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { type FaultyLine, startFaultyLine } from '#testing/server/faulty-line.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'
import { screenShownAt } from './page/scroll-probe.ts'
import { watchTasks } from './page/watch-tasks.ts'

/**
 * Measures how the page organizes a large library in a real Chromium: the place that it keeps through changes, the
 * filter of the sidebar, a selection of half of the library, and changes of thousands of images of which some fail.
 * Times are from the event of the key or click to the frame that shows its effect.
 */
const { values: flags } = parseArgs({
  options: {
    images: { type: 'string', default: '1000,100000' },
    boards: { type: 'string', default: '300,1000' },
    repeat: { type: 'string', default: '5' },
  },
  strict: false,
})
const numbers = (text: unknown) => String(text).split(',').map(Number)
const repeat = Number(flags.repeat)

/** The effect of an action: elements that all have the words of a text, in lower case. */
interface Effect {
  readonly where: string
  readonly text: string
}

const BOARD_ROWS = 'nav[aria-label=Boards] li'

const selected = (count: number): Effect => ({
  where: '[role=toolbar][aria-label=Selection]',
  text: `${count.toLocaleString('en')} images`,
})

const MOVED = 5_000
const TRASHED = 3_000
const DROPPED = 250
const FAILS_ONE_IN = 200
const CHOSEN = 5_000
const CHOSEN_BYTES = 20_000
const WATCHED_MS = 15_000
const MAX_BULK_MS = 120_000

await buildPage()
const figures: Figure[] = []
const boardCounts = numbers(flags.boards)
for (const imageCount of numbers(flags.images))
  for (const boardCount of boardCounts) await measureLibrary(imageCount, boardCount)
reportFigures('organise', withBaselines(figures))

async function measureLibrary(imageCount: number, boardCount: number): Promise<void> {
  const dataFolder = await createTemporaryFolder()
  const inBoards = Math.floor(imageCount / 4 / boardCount)
  const boards = Array.from({ length: boardCount }, (_, at) => ({
    name: at % 3 === 0 ? `Board ${at}` : `Clients/Client ${at % 23}/Shoot ${at}`,
    imageCount: inBoards,
  }))
  const everything = { name: 'Everything', imageCount: Math.floor(imageCount / 2) }
  console.log(`Filling a library of ${imageCount.toLocaleString('en')} with ${boardCount} boards …`)
  await fillLibrary(dataFolder, {
    imageCount,
    pictureCount: 60,
    longestPx: 240,
    boards: [everything, ...boards],
  })
  const server = await ServerProcess.start({ dataFolder, flags: ['--rate-limit', 'off'] })
  const line = await startFaultyLine(server.url, { latencyMs: 0 })
  const browser = await chromium.launch({
    executablePath: findOrInstallChromium('whole').path,
    args: ['--no-sandbox', '--window-size=1440,900'],
  })
  const client = connect({ baseUrl: server.url })
  const handle = await client.boards.getBoardHandleByName(everything.name)
  const url = `${line.url}/?board=${handle?.boardId}`
  const of = `${imageCount.toLocaleString('en')} images, ${boardCount.toLocaleString('en')} boards`
  try {
    figures.push(...(await measureFilter(browser, url, of)))
    if (boardCount !== boardCounts[0]) return
    figures.push(...(await measureSelection(browser, url, of, everything.imageCount)))
    figures.push(...(await measurePlace(browser, url, of)))
    figures.push(...(await measureLayouts(browser, url, of)))
    if (everything.imageCount >= MOVED + TRASHED)
      figures.push(...(await measureBulk(browser, url, { of, line, client })))
    if (imageCount === Math.min(...numbers(flags.images)))
      figures.push(...(await measureChoosing(browser, url)))
  } finally {
    await browser.close()
    await line.close()
    await server.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

/** P6: types a name into the filter of the sidebar, one key at a time. */
async function measureFilter(browser: Browser, url: string, of: string): Promise<Figure[]> {
  const page = await openPage(browser, url)
  const filter = page.getByRole('searchbox', { name: 'Filter boards' })
  const times: number[] = []
  const listTimes: number[] = []
  for (let run = 0; run < repeat; run += 1) {
    for (const where of [null, BOARD_ROWS]) {
      await filter.fill('')
      await filter.focus()
      let typed = ''
      for (const key of 'shoot 29') {
        typed += key
        const effect = where === null ? null : { where, text: typed }
        const time = await timeToFrame(page, 'input', () => page.keyboard.press(key), effect)
        if (effect) listTimes.push(time)
        else times.push(time)
      }
    }
  }
  await page.context().close()
  return [
    { name: `a key in the filter of boards, ${of}`, value: median(times), unit: 'ms', mark: '50' },
    { name: `its slowest key, ${of}`, value: Math.max(...times), unit: 'ms', mark: '50' },
    { name: `until the boards are those, ${of}`, value: median(listTimes), unit: 'ms' },
  ]
}

/** P10: selects a whole board, and takes one image out. */
async function measureSelection(browser: Browser, url: string, of: string, count: number) {
  const page = await openPage(browser, url)
  const grid = page.getByRole('grid', { name: 'Images' })
  const all: number[] = []
  const one: number[] = []
  for (let run = 0; run < repeat; run += 1) {
    await page.keyboard.press('Escape')
    await grid.focus()
    const selectAll = () => page.keyboard.press('ControlOrMeta+a')
    all.push(await timeToFrame(page, 'keydown', selectAll, selected(count)))
    const tile = grid.getByRole('gridcell').nth(run)
    const untick = () => tile.click({ modifiers: ['ControlOrMeta'] })
    one.push(await timeToFrame(page, 'click', untick, selected(count - 1)))
  }
  await page.context().close()
  return [
    { name: `select all of a half, ${of}`, value: median(all), unit: 'ms', mark: '100' },
    { name: `untick one of them, ${of}`, value: median(one), unit: 'ms', mark: '50' },
  ] satisfies Figure[]
}

/** P3: stars, deletes and moves images at row 400. */
async function measurePlace(browser: Browser, url: string, of: string): Promise<Figure[]> {
  const page = await openPage(browser, url)
  const grid = page.getByRole('grid', { name: 'Images' })
  await grid.evaluate((grid) => {
    grid.scrollTop = Math.min(400 * 180, (grid.scrollHeight - grid.clientHeight) / 2)
  })
  await shownAt(page)
  const names = await namesOnScreen(grid)
  const [first = ''] = names
  const watched = await page.evaluateHandle(watchTile, first)
  const tileOf = (at: number) =>
    grid.getByRole('gridcell').filter({ has: page.locator(`[data-picture="${names[at]}"]`) })
  const at = Math.min(8, names.length - 2)
  await tileOf(at).click()
  const starring = await timeToFrame(page, 'keydown', () => page.keyboard.press('s'))
  const deleting = await timeToFrame(page, 'keydown', () => page.keyboard.press('Delete'))
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill('Board 0')
  const moving = await timeToFrame(page, 'keydown', () => page.keyboard.press('Enter'))
  await setTimeout(1_000)
  const movedPx = await page.evaluate((end) => end(), watched)
  await page.context().close()
  return [
    {
      name: `farthest move of the first image at row 400, ${of}`,
      value: movedPx,
      unit: 'px',
      mark: '2',
    },
    { name: `star at row 400, ${of}`, value: starring, unit: 'ms' },
    { name: `delete at row 400, ${of}`, value: deleting, unit: 'ms' },
    { name: `move at row 400, ${of}`, value: moving, unit: 'ms' },
  ]
}

/** Switches between squares and rows. */
async function measureLayouts(browser: Browser, url: string, of: string): Promise<Figure[]> {
  const page = await openPage(browser, url)
  const endOfTasks = await watchTasks(page)
  await page.getByRole('button', { name: 'View options' }).click()
  for (const layout of ['Rows', 'Squares', 'Rows']) {
    await page.getByRole('dialog').getByText(layout, { exact: true }).click()
    await shownAt(page)
  }
  const found = await endOfTasks(`of a switch to rows, ${of}`)
  await page.context().close()
  return found
}

/** Chooses thousands of small files, and watches the page while the first of them go up. */
async function measureChoosing(browser: Browser, url: string): Promise<Figure[]> {
  const folder = await createTemporaryFolder()
  const files = Array.from({ length: CHOSEN }, (_, at) => join(folder, `${at}.png`))
  const drawn = await (await drawFile('chosen.png')).bytes()
  for (const [at, path] of files.entries()) {
    const bytes = new Uint8Array(Math.max(CHOSEN_BYTES, drawn.length + 8))
    bytes.set(drawn)
    new DataView(bytes.buffer).setUint32(bytes.length - 4, at)
    await writeFile(path, bytes)
  }
  const of = `after ${CHOSEN.toLocaleString('en')} chosen files of 20 kB`
  const openChooser = async (page: Page) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add images' }).click()
    await page.getByRole('menuitem', { name: /^Upload files/ }).click()
    return chooser
  }
  const first = await openPage(browser, url)
  const input = await openChooser(first)
  const shownMs = await timeToFrame(first, 'change', () => input.setFiles(files))
  await first.getByRole('region', { name: 'Uploads' }).waitFor()
  await first.context().close()
  // In a second page, because a trace would delay the tray.
  const page = await openPage(browser, url)
  const traced = await openChooser(page)
  const endOfTasks = await watchTasks(page, 'change')
  await traced.setFiles(files)
  await page.getByRole('region', { name: 'Uploads' }).waitFor()
  await setTimeout(WATCHED_MS)
  const found = await endOfTasks(of)
  await page.context().close()
  await rm(folder, { recursive: true })
  return [{ name: `the tray ${of}`, value: shownMs, unit: 'ms', mark: '100' }, ...found]
}

interface BulkOptions {
  of: string
  line: FaultyLine
  client: TesseraClient
}

/** P24: moves 5,000 images, deletes 3,000 and drops 250 files, while one image in 200 fails. */
async function measureBulk(browser: Browser, url: string, { of, line, client }: BulkOptions) {
  const page = await openPage(browser, url)
  const grid = page.getByRole('grid', { name: 'Images' })
  const endOfTasks = await watchTasks(page)
  line.failOneIn(FAILS_ONE_IN)
  const { length: batchesBefore } = line.batches
  const countBefore = await client.images.count({})
  const start = performance.now()
  await selectFirst(grid, MOVED)
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill('Board 0')
  await page.keyboard.press('Enter')
  await selectFirst(grid, TRASHED)
  await page.keyboard.press('Delete')
  const folder = await createTemporaryFolder()
  const files = Array.from({ length: DROPPED }, (_, at) => join(folder, `new ${at}.png`))
  for (const path of files) await writeFile(path, await (await drawFile(basename(path))).bytes())
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add images' }).click()
  await page.getByRole('menuitem', { name: /^Upload files/ }).click()
  await (await chooser).setFiles(files)
  const trashed = TRASHED - TRASHED / FAILS_ONE_IN
  while ((await client.images.count({})) !== countBefore - trashed + DROPPED) {
    if (performance.now() - start > MAX_BULK_MS) throw new Error('The changes did not end.')
    await setTimeout(100)
  }
  const spent = performance.now() - start
  const found = await endOfTasks(`meanwhile, ${of}`)
  await rm(folder, { recursive: true })
  await page.context().close()
  const name = `5,000 moved, 3,000 deleted, 250 dropped, one in 200 failing, ${of}`
  return [
    { name, value: spent, unit: 'ms' },
    ...found,
    {
      name: `requests for 8,000 images, ${of}`,
      value: line.batches.length - batchesBefore,
      unit: 'requests',
    },
  ] satisfies Figure[]
}

/** Selects the first images of the view: Home, then Shift with the last one. */
async function selectFirst(grid: Locator, count: number): Promise<void> {
  const page = grid.page()
  await page.keyboard.press('Escape')
  await grid.focus()
  await page.keyboard.press('Home')
  await grid.getByRole('gridcell').first().click()
  const columns = Number(await grid.getAttribute('aria-colcount'))
  await grid.evaluate(
    (grid, row) => {
      const rows = Number(grid.getAttribute('aria-rowcount'))
      grid.scrollTop = (row / rows) * grid.scrollHeight - grid.clientHeight / 2
    },
    Math.ceil(count / columns),
  )
  await shownAt(page)
  const row = grid.locator(`[role=row][aria-rowindex="${Math.ceil(count / columns)}"]`)
  const column = (count - 1) % columns
  await row
    .getByRole('gridcell')
    .nth(column)
    .click({ modifiers: ['Shift'] })
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 } })
  ).newPage()
  await page.goto(url)
  await shownAt(page)
  return page
}

async function shownAt(page: Page): Promise<void> {
  await page.waitForFunction(screenShownAt, undefined, { polling: 'raf' })
}

function namesOnScreen(grid: Locator): Promise<string[]> {
  return grid.evaluate((grid) => {
    const { top, bottom } = grid.getBoundingClientRect()
    return [...grid.querySelectorAll('[role=gridcell]')]
      .filter((tile) => {
        const box = tile.getBoundingClientRect()
        return box.top >= top && box.bottom <= bottom
      })
      .map((tile) => tile.querySelector<HTMLElement>('[data-picture]')?.dataset.picture ?? '')
  })
}

/** Returns the time from an event to the frame after it, or to the frame that shows a text in the selection bar. */
async function timeToFrame(
  page: Page,
  event: string,
  act: () => Promise<unknown>,
  effect: Effect | null = null,
): Promise<number> {
  const watch = await page.evaluateHandle(watchEvent, { event, effect })
  await act()
  return page.evaluate(({ shown }) => shown, watch)
}

/** Sent to the page as text. */
function watchEvent({ event, effect }: { event: string; effect: Effect | null }): {
  shown: Promise<number>
} {
  const isShown = ({ where, text }: Effect) => {
    const words = text.split(' ')
    const shows = ({ textContent }: Element) =>
      words.every((word) => textContent?.toLowerCase().includes(word))
    const elements = [...document.querySelectorAll(where)]
    return elements.length > 0 && elements.every(shows)
  }
  const shown = new Promise<number>((resolve) => {
    const start = ({ timeStamp }: Event) => {
      const look = () => {
        if (effect && !isShown(effect)) return requestAnimationFrame(look)
        // The task after the frame in which the effect is drawn.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - timeStamp)
        return port2.postMessage(null)
      }
      requestAnimationFrame(look)
    }
    addEventListener(event, start, { capture: true, once: true })
  })
  return { shown }
}

/** Watches how far a tile moves from its place. Sent to the page as text. */
function watchTile(name: string): () => number {
  const topOf = () =>
    document.querySelector(`[role=gridcell]:has([data-picture="${name}"])`)?.getBoundingClientRect()
      .top ?? Number.POSITIVE_INFINITY
  const top = topOf()
  let farthest = 0
  let isOver = false
  const look = () => {
    farthest = Math.max(farthest, Math.abs(topOf() - top))
    if (!isOver) requestAnimationFrame(look)
  }
  look()
  return () => {
    isOver = true
    return farthest
  }
}

/** Sets the smallest library as the baseline of each larger one. */
function withBaselines(all: Figure[]): Figure[] {
  const [fewest] = numbers(flags.images)
  const [fewestBoards] = boardCounts
  const label = `${fewest?.toLocaleString('en')} images, ${fewestBoards?.toLocaleString('en')} boards`
  return all.map((figure) => {
    const name = figure.name.replace(/[\d,]+ images, [\d,]+ boards$/, label)
    const other = all.find((candidate) => candidate.name === name)
    if (other === undefined || other === figure || other.value === 0) return figure
    return { ...figure, baseline: { name: label, value: other.value } }
  })
}
