import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { measureReturn, measureSilence } from '#bench/generations/connection-measures.ts'
import { graph, isSaved, nameOf, nextEvent, seenAt } from '#bench/generations/generation-events.ts'
import { measureBurst, measureGenerations } from '#bench/generations/generation-measures.ts'
import * as probe from '#bench/generations/generations-probe.ts'
import { measureTabs } from '#bench/generations/tab-measures.ts'
import { findOrInstallChromium } from '#build/browsers.ts'
import { buildPage } from '#build/build-page.ts'
import { connect } from '#client/index.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { startRelay } from '#testing/server/relay.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, reportFigures } from './figures.ts'

/**
 * Measures how soon the page shows changes: a generation from its first event to its image, a server that
 * fails and returns, and changes of another tab. `node src/bench/generations.ts --images 5000 --repeat 10`;
 * `--only tabs` measures only the tabs.
 */
const { values: flags } = parseArgs({
  options: {
    images: { type: 'string', default: '5000' },
    repeat: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
  strict: false,
})
const imageCount = Number(flags.images)
const repeat = Number(flags.repeat)
/** Slow measurements are repeated less often. */
const seldom = Math.min(3, repeat)

const dataFolder = await createTemporaryFolder()
console.log(`Filling a library of ${imageCount.toLocaleString('en')} …`)
await fillLibrary(dataFolder, { imageCount, pictureCount: 50, longestPx: 512 })
await buildPage()
const server = await ServerProcess.start({ dataFolder })
const relay = await startRelay(server.url)
const client = connect({ baseUrl: server.url })
const stopListening = client.events.listen(() => {})
const browser = await chromium.launch({
  executablePath: findOrInstallChromium('whole').path,
  args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
})
try {
  reportFigures('generations', [
    ...(flags.only === 'tabs'
      ? []
      : await inFreshTabs(1, async (tab) => [
          ...(await measureGenerations(client, tab, repeat)),
          ...(await measureBurst(client, tab)),
          ...(await measureReturn(client, relay, tab, seldom)),
          ...(await measureSilence(server, tab, seldom)),
        ])),
    ...(await inFreshTabs(3, (...tabs) => measureTabs(client, tabs, repeat))),
  ])
} finally {
  stopListening()
  await browser.close()
  await relay.cut()
  await server.close()
  await removeFolder(dataFolder)
}

/**
 * Opens this many tabs at Assets, each with an event connection or a share in one. Each is in its own window:
 * Chromium renders a background tab only once a second, and Playwright's clicks wait for frames.
 */
async function inFreshTabs(
  count: number,
  measure: (first: Page, ...others: Page[]) => Promise<Figure[]>,
): Promise<Figure[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const first = await openTab(() => context.newPage())
  const others: Page[] = []
  for (let at = 1; at < count; at += 1) others.push(await openTab(openWindow))
  try {
    await warmUp([first, ...others])
    return await measure(first, ...others)
  } finally {
    await context.close()
  }

  async function openWindow(): Promise<Page> {
    const window = context.waitForEvent('page')
    await first.evaluate(() => {
      open('about:blank', '_blank', 'popup,noopener,width=1440,height=900')
    })
    return await window
  }

  async function openTab(openPage: () => Promise<Page>): Promise<Page> {
    const tab = await openPage()
    await tab.goto(`${relay.url}/?board=none`)
    await tab.waitForFunction(probe.isLoaded, undefined, { polling: 'raf' })
    return tab
  }
}

/**
 * Generates an image and waits until every tab shows it, so that all tabs receive events and the node process
 * is running.
 */
async function warmUp(tabs: readonly Page[]): Promise<void> {
  const saved = nextEvent(client, 'invocation_complete', isSaved)
  await client.queue.enqueue({ graph: graph() })
  const name = nameOf((await saved).data)
  await Promise.all(tabs.map((tab) => seenAt(tab, probe.pictureAt, name)))
}
