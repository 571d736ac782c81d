import type { Page } from '@playwright/test'
import { type Figure, median } from '#bench/figures.ts'
import type { TesseraClient } from '#client/connect.ts'
import type { EventData } from '#contract/events.ts'
import { graph, isSaved, nameOf, nextEvent, seenAt } from './generation-events.ts'
import * as probe from './generations-probe.ts'

/** Number of images that are generated in immediate succession. */
const BURST = 20

/** Measures the time from the first event of a generation to its tile, and from the last event to its image. */
export async function measureGenerations(
  client: TesseraClient,
  page: Page,
  repeat: number,
): Promise<Figure[]> {
  const tiles: number[] = []
  const pictures: number[] = []
  for (let run = 0; run < repeat; run += 1) {
    const tile = seenAt(page, probe.makingTileAt, undefined)
    const started = nextEvent(client, 'invocation_started')
    const saved = nextEvent(client, 'invocation_complete', isSaved)
    await client.queue.enqueue({ graph: graph() })
    tiles.push(Math.max(0, (await tile) - (await started).at))
    const { at, data } = await saved
    pictures.push(Math.max(0, (await seenAt(page, probe.pictureAt, nameOf(data))) - at))
    await page.waitForFunction(probe.isIdle, undefined, { polling: 'raf' })
  }
  return [
    { name: 'tile after the started event', value: median(tiles), unit: 'ms', mark: '250' },
    { name: 'picture after the complete event', value: median(pictures), unit: 'ms', mark: '500' },
  ]
}

/** Measures the same when images arrive faster than the page could request their records. */
export async function measureBurst(client: TesseraClient, page: Page): Promise<Figure[]> {
  const watch = await page.evaluateHandle(probe.watchPictures)
  const savedAt = new Map<string, number>()
  const stop = client.events.listen(({ event, data }) => {
    if (event !== 'invocation_complete') return
    const news = data as EventData<'invocation_complete'>
    if (isSaved(news)) savedAt.set(nameOf(news), Date.now())
  })
  const { item_ids } = await client.queue.enqueue({ graph: graph(), runs: BURST })
  await nextEvent(client, 'invocation_complete', (news) => {
    return isSaved(news) && news.item_id === Math.max(...item_ids)
  })
  stop()
  for (const name of savedAt.keys()) await seenAt(page, probe.pictureAt, name)
  const shownAt = await watch.evaluate((times) => times())
  const tookMs = [...savedAt].map(([name, at]) => Math.max(0, (shownAt[name] ?? Infinity) - at))
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
