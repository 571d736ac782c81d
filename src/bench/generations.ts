import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { buildPage } from '#build/build-page.ts'
import { findOrInstallChromium } from '#build/chromium.ts'
import { connect } from '#client/index.ts'
import type { EventData } from '#contract/events.ts'
import { fillLibrary } from '#testing/fill-library.ts'
import { graphOf } from '#testing/graph-of.ts'
import { ServerProcess } from '#testing/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'
import * as probe from './generations-probe.ts'

/**
 * How soon the page shows what happens: a generation from its first event to its picture (product P18), a
 * server that goes and comes back (P19), and what another tab does (P20).
 * `node src/bench/generations.ts --images 5000 --repeat 10`
 */
const { values: flags } = parseArgs({
  options: {
    images: { type: 'string', default: '5000' },
    repeat: { type: 'string', default: '10' },
  },
  strict: false,
})
const repeat = Number(flags.repeat)

/** How long the server is gone, in milliseconds. */
const AWAY_MS = 10_000

/** Images that are made one right after the other. */
const BURST = 20

const dataFolder = await createTemporaryFolder()
console.log(`Filling a library of ${Number(flags.images).toLocaleString('en')} …`)
await fillLibrary(dataFolder, {
  imageCount: Number(flags.images),
  pictureCount: 50,
  longestPx: 512,
})
await buildPage()
const server = await ServerProcess.start({ dataFolder })
const client = connect({ baseUrl: server.url })
const browser = await chromium.launch({
  executablePath: findOrInstallChromium().path,
  args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
})
try {
  const figures = [
    ...(await inFreshTabs(1, measureGenerations)),
    ...(await inFreshTabs(1, measureBurst)),
    ...(await inFreshTabs(3, measureTabs)),
    ...(await inFreshTabs(1, measureSilence)),
    ...(await inFreshTabs(1, measureReturn)),
  ]
  reportFigures('generations', figures)
} finally {
  await browser.close()
  await server.close()
  await removeFolder(dataFolder)
}

type Measure = (tabs: readonly Page[]) => Promise<Figure[]>

/** Opens so many tabs at Assets, each with a line for events or a share in one. */
async function inFreshTabs(count: number, measure: Measure): Promise<Figure[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const tabs: Page[] = []
  for (let at = 0; at < count; at += 1) {
    const tab = await context.newPage()
    await tab.goto(`${server.url}/?board=none`)
    await tab.waitForFunction(probe.isLoaded, undefined, { polling: 'raf' })
    tabs.push(tab)
  }
  try {
    await warmUp(tabs)
    return await measure(tabs)
  } finally {
    await context.close()
  }
}

/** What is made is seen in every tab: they hear events, and the process that runs nodes is there. */
async function warmUp(tabs: readonly Page[]): Promise<void> {
  const saved = nextEvent('invocation_complete', isSaved)
  await client.queue.enqueue({ graph: graph() })
  const name = nameOf((await saved).data)
  await Promise.all(tabs.map((tab) => seenAt(tab, probe.pictureAt, name)))
}

/** A graph that takes a moment and saves one picture. */
function graph() {
  return graphOf(
    {
      blank: {
        type: 'blank_image',
        width: 768,
        height: 512,
        is_intermediate: true,
        use_cache: false,
      },
      save: { type: 'save_image', use_cache: false },
    },
    ['blank.image -> save.image'],
  )
}

/** The next event of a name, with the time at which it came, in milliseconds since 1970. */
function nextEvent<Name extends 'invocation_started' | 'invocation_complete'>(
  name: Name,
  isMeant: (data: EventData<Name>) => boolean = () => true,
): Promise<{ at: number; data: EventData<Name> }> {
  return new Promise((resolve) => {
    const stop = client.events.listen(({ event, data }) => {
      if (event !== name || !isMeant(data as EventData<Name>)) return
      stop()
      resolve({ at: Date.now(), data: data as EventData<Name> })
    })
  })
}

function isSaved({ invocation }: EventData<'invocation_complete'>): boolean {
  return !invocation.is_intermediate
}

function nameOf({ result }: EventData<'invocation_complete'>): string {
  const { image } = result as { image?: { image_name?: string } }
  if (image?.image_name === undefined) throw new Error('No image was made.')
  return image.image_name
}

/** When something was seen in a page, in milliseconds since 1970. */
async function seenAt<Argument>(
  page: Page,
  look: (argument: Argument) => number | false,
  argument: Argument,
): Promise<number> {
  // A function that was made for a page takes what Playwright hands over.
  const handle = await page.waitForFunction(
    look as (argument: unknown) => number | false,
    argument,
    {
      polling: 'raf',
      timeout: 60_000,
    },
  )
  return Number(await handle.jsonValue())
}

async function measureGenerations([page]: readonly Page[]): Promise<Figure[]> {
  if (page === undefined) return []
  const tiles: number[] = []
  const pictures: number[] = []
  const keepsLine = client.events.listen(() => {})
  for (let run = 0; run < repeat; run += 1) {
    const tile = seenAt(page, probe.makingTileAt, undefined)
    const started = nextEvent('invocation_started')
    const saved = nextEvent('invocation_complete', isSaved)
    await client.queue.enqueue({ graph: graph() })
    tiles.push(Math.max(0, (await tile) - (await started).at))
    const { at, data } = await saved
    pictures.push(Math.max(0, (await seenAt(page, probe.pictureAt, nameOf(data))) - at))
    await page.waitForFunction(probe.isCalm, undefined, { polling: 'raf' })
  }
  keepsLine()
  return [
    { name: 'tile after the started event', value: median(tiles), unit: 'ms', mark: '250' },
    { name: 'picture after the complete event', value: median(pictures), unit: 'ms', mark: '500' },
  ]
}

async function measureBurst([page]: readonly Page[]): Promise<Figure[]> {
  if (page === undefined) return []
  const saved: Promise<number>[] = []
  const stop = client.events.listen(({ event, data }) => {
    if (event !== 'invocation_complete') return
    const news = data as EventData<'invocation_complete'>
    const at = Date.now()
    if (isSaved(news)) saved.push(seenAt(page, probe.pictureAt, nameOf(news)).then((t) => t - at))
  })
  const done = new Promise<void>((resolve) => {
    const stopDone = client.events.listen(() => {
      if (saved.length < BURST) return
      stopDone()
      resolve()
    })
  })
  await client.queue.enqueue({ graph: graph(), runs: BURST })
  await done
  stop()
  const tookMs = await Promise.all(saved)
  const of = `${BURST} in a row`
  return [
    {
      name: `picture after its complete event, ${of}`,
      value: median(tookMs),
      unit: 'ms',
      mark: '500',
    },
    { name: `the latest of them, ${of}`, value: Math.max(...tookMs), unit: 'ms' },
  ]
}

async function measureTabs(tabs: readonly Page[]): Promise<Figure[]> {
  const [first, ...others] = tabs
  if (first === undefined) return []
  const board = await client.boards.createBoard('Bench')
  await Promise.all(tabs.map((tab) => tab.evaluate(() => window.dispatchEvent(new Event('focus')))))
  await first.getByRole('link', { name: 'Bench', exact: true }).waitFor()
  const moves: number[] = []
  for (let run = 0; run < repeat; run += 1) {
    const tile = first.getByRole('grid', { name: 'Images' }).getByRole('gridcell').nth(2)
    await tile.click()
    const name = await tile.getAttribute('data-name')
    await first.keyboard.press('m')
    await first.getByRole('combobox').fill('Bench')
    await first.getByRole('option', { name: /Bench/ }).first().waitFor()
    const gone = others.map((tab) => seenAt(tab, probe.goneAt, name ?? ''))
    const at = Date.now()
    await first.keyboard.press('Enter')
    moves.push(Math.max(...(await Promise.all(gone))) - at)
  }
  const takenOver = await measureTakeOver(tabs)
  await client.boards.deleteBoard(board.boardId)
  return [
    { name: 'a move in the other tabs', value: median(moves), unit: 'ms', mark: '500' },
    { name: 'another socket after the leader closed', value: takenOver, unit: 'ms', mark: '3,000' },
  ]
}

/** Closes the tab that holds the socket: the first one, which asked for it before the others were there. */
async function measureTakeOver([leader, ...others]: readonly Page[]): Promise<number> {
  const opened = Promise.any(
    others.map((tab) => tab.waitForEvent('websocket', { timeout: 60_000 }).then(() => Date.now())),
  )
  const at = Date.now()
  await leader?.close()
  return (await opened) - at
}

/** The server stops answering without a word, as behind a line that loses everything. */
async function measureSilence([page]: readonly Page[]): Promise<Figure[]> {
  const { pid } = server
  if (page === undefined || pid === undefined) return []
  const noticed: number[] = []
  for (let run = 0; run < Math.min(3, repeat); run += 1) {
    const banner = seenAt(page, probe.bannerAt, undefined)
    const at = Date.now()
    process.kill(pid, 'SIGSTOP')
    noticed.push((await banner) - at)
    process.kill(pid, 'SIGCONT')
    await page.waitForFunction(probe.isCalm, undefined, { polling: 'raf', timeout: 60_000 })
  }
  return [
    {
      name: 'banner when nothing comes any more',
      value: median(noticed),
      unit: 'ms',
      mark: '3,000',
    },
  ]
}

async function measureReturn([page]: readonly Page[]): Promise<Figure[]> {
  if (page === undefined) return []
  const noticed: number[] = []
  const returned: number[] = []
  for (let run = 0; run < Math.min(3, repeat); run += 1) {
    const banner = seenAt(page, probe.bannerAt, undefined)
    const at = Date.now()
    await server.kill()
    noticed.push((await banner) - at)
    await sleep(AWAY_MS)
    await server.startAgain()
    const back = Date.now()
    const { items } = await client.images.page({ boardId: 'none' }, { offset: 0, limit: 1 })
    // What changed while it was away is what the page must come to show by itself.
    const name = items[0]?.image_name ?? ''
    const gone = seenAt(page, probe.goneAt, name)
    await client.images.delete([name])
    await page.waitForFunction(probe.isCalm, undefined, { polling: 'raf', timeout: 60_000 })
    returned.push((await gone) - back)
  }
  return [
    { name: 'banner when the server ends', value: median(noticed), unit: 'ms', mark: '3,000' },
    { name: 'reconciled after its return', value: median(returned), unit: 'ms', mark: '2,000' },
  ]
}
