import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { type Figure, median } from '#bench/figures.ts'
import type { TesseraClient } from '#client/connect.ts'
import type { Relay } from '#testing/server/relay.ts'
import type { ServerProcess } from '#testing/server/server-process.ts'
import { seenAt } from './generation-events.ts'
import * as probe from './generations-probe.ts'

/** The view that the page shows. */
const view = { boardId: 'none', isIntermediate: false, starredFirst: false }

/** Duration of the outage in milliseconds. */
const AWAY_MS = 6_000

/**
 * Measures how soon the page reports a server that silently stops answering, as on a connection that loses
 * all packets.
 */
export async function measureSilence(
  server: ServerProcess,
  page: Page,
  repeat: number,
): Promise<Figure[]> {
  const { pid } = server
  const noticed: number[] = []
  for (let run = 0; pid !== undefined && run < repeat; run += 1) {
    const banner = seenAt(page, probe.bannerAt, undefined)
    const at = Date.now()
    process.kill(pid, 'SIGSTOP')
    noticed.push((await banner) - at)
    process.kill(pid, 'SIGCONT')
    await page.waitForFunction(probe.isIdle, undefined, { polling: 'raf', timeout: 60_000 })
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

/** Measures the recovery after a cut connection, including an image that was deleted meanwhile. */
export async function measureReturn(
  client: TesseraClient,
  relay: Relay,
  page: Page,
  repeat: number,
): Promise<Figure[]> {
  const noticed: number[] = []
  const returned: number[] = []
  for (let run = 0; run < repeat; run += 1) {
    const banner = seenAt(page, probe.bannerAt, undefined)
    const at = Date.now()
    await relay.cut()
    noticed.push((await banner) - at)
    const { items } = await client.images.page(view, { offset: 0, limit: 1 })
    const name = items[0]?.image_name ?? ''
    await client.images.delete([name])
    await sleep(AWAY_MS)
    const gone = seenAt(page, probe.goneAt, name)
    const back = Date.now()
    await relay.restore()
    await page.waitForFunction(probe.isIdle, undefined, { polling: 'raf', timeout: 60_000 })
    returned.push((await gone) - back)
  }
  return [
    {
      name: 'banner when the connection is cut',
      value: median(noticed),
      unit: 'ms',
      mark: '3,000',
    },
    { name: 'reconciled after its return', value: median(returned), unit: 'ms', mark: '2,000' },
  ]
}
