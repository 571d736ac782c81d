import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { chromium, type Locator, type Page } from '@playwright/test'
import { findOrInstallChromium } from '#build/browsers.ts'
import { buildPage } from '#build/build-page.ts'
import { connect } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'

/**
 * Measures the time from a change in the Process dialog to its preview, for each kind of step, with a photo
 * of 12 megapixels in a window of 1440 x 900. `node src/bench/preview.ts --repeat 5 --ratio 1`
 */
const { values: flags } = parseArgs({
  options: {
    repeat: { type: 'string', default: '5' },
    ratio: { type: 'string', default: '1' },
  },
  strict: false,
})
const repeat = Number(flags.repeat)
const MARK = 'under 300'

/** Each step with a function that makes its `n`th change. */
const CHANGES: [step: string, change: (dialog: Locator, n: number) => Promise<unknown>][] = [
  ['Resize', (dialog, n) => numberOf(dialog, 'Size').fill(String(900 + n))],
  ['Scale', (dialog, n) => numberOf(dialog, 'To').fill(String(30 + n))],
  [
    'Crop',
    (dialog, n) => choiceOf(dialog, 'Proportions').selectOption(n % 2 === 0 ? '3:2' : '16:9'),
  ],
  ['Pad', (dialog, n) => numberOf(dialog, 'Left').fill(String(200 + n))],
  ['Blur', (dialog, n) => numberOf(dialog, 'Radius').fill(String(20 + n))],
  ['Sharpen', (dialog, n) => numberOf(dialog, 'Strength').fill(String(100 + n))],
  ['Enhance', (dialog, n) => numberOf(dialog, 'Sharpness').fill(String(150 + n))],
  [
    'Color mode',
    (dialog, n) => choiceOf(dialog, 'To').selectOption(n % 2 === 0 ? 'Color, opaque' : 'Gray'),
  ],
  [
    'Mask',
    (dialog, n) => choiceOf(dialog, 'Mask from').selectOption(n % 2 === 0 ? 'Color' : 'Brightness'),
  ],
]

const numberOf = (dialog: Locator, name: string) =>
  dialog.getByRole('spinbutton', { name, exact: true })
const choiceOf = (dialog: Locator, name: string) =>
  dialog.getByRole('combobox', { name, exact: true })

await buildPage()
const dataFolder = await createTemporaryFolder()
const server = await ServerProcess.start({ dataFolder })
const browser = await chromium.launch({
  executablePath: findOrInstallChromium().path,
  args: ['--no-sandbox'],
})
try {
  const bytes = await drawFile('photo.jpg', { widthPx: 4000, heightPx: 3000 })
  await connect({ baseUrl: server.url }).uploads.upload({ bytes, fileName: 'photo.jpg' })
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: Number(flags.ratio),
  })
  await page.addInitScript(noteTimes)
  await page.goto(`${server.url}/?board=none`)
  reportFigures('preview', await measure(page))
} finally {
  await browser.close()
  await server.close()
  await rm(dataFolder, { recursive: true, force: true })
}

async function measure(page: Page): Promise<Figure[]> {
  await page.getByRole('gridcell').first().click()
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog')
  const figures: Figure[] = []
  for (const [step, change] of CHANGES) {
    await dialog.getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('menuitem', { name: step, exact: true }).click()
    await dialog.getByRole('img', { name: 'Result' }).waitFor()
    const times: number[] = []
    // The first change is not counted: the browser has not compiled the step's function yet.
    for (let n = 0; n <= repeat; n++) {
      await page.evaluate(() => Object.assign(window, { drawnAt: 0 }))
      await change(dialog, n)
      const time = await page.waitForFunction(sinceChange, undefined, { polling: 'raf' })
      if (n > 0) times.push((await time.jsonValue()) ?? Number.NaN)
    }
    figures.push({
      name: `preview after a change, ${step}, 12 megapixels`,
      value: median(times),
      unit: 'ms',
      mark: MARK,
    })
    await dialog.getByRole('button', { name: `Remove ${step}` }).click()
  }
  const longest = await page.evaluate(() => (window as unknown as Times).longestTaskMs)
  figures.push({
    name: 'longest task of the page between change and preview',
    value: longest,
    unit: 'ms',
    mark: 'under 50',
  })
  return figures
}

interface Times {
  changedAt: number
  drawnAt: number
  /** The longest task between a change and its result; 0 if none exceeded 50 ms. */
  longestTaskMs: number
}

/** Runs in the page: records when a field changes and when a result is rendered. */
function noteTimes(): void {
  const times: Times = Object.assign(window, { changedAt: 0, drawnAt: 0, longestTaskMs: 0 })
  const { drawImage } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.drawImage = function (...drawn: unknown[]) {
    Reflect.apply(drawImage, this, drawn)
    times.drawnAt = performance.now()
  }
  const onChange = () => {
    times.changedAt = performance.now()
    times.drawnAt = 0
  }
  addEventListener('input', onChange, true)
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      const isOfChange = times.changedAt > 0 && startTime + duration > times.changedAt
      if (isOfChange && (times.drawnAt === 0 || startTime < times.drawnAt)) {
        times.longestTaskMs = Math.max(times.longestTaskMs, duration)
      }
    }
  }).observe({ type: 'longtask' })
}

/** Runs in the page: returns the milliseconds from the last change to its result, or null before a result exists. */
function sinceChange(): number | null {
  const { changedAt, drawnAt } = window as unknown as Times
  return drawnAt > changedAt ? drawnAt - changedAt : null
}
