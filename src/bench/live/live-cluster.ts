import type { Figure } from '#bench/figures.ts'
import { connect } from '#client/index.ts'
import { Cluster } from '#testing/cluster/cluster.ts'
import { measureStars, openBrowser, openPage, p95, type Subject } from './live-page.ts'

const IMAGES = 40

/** Measures how soon a page at one process shows what another client changes at another process. */
export async function measureCluster({
  file,
  repeat,
}: Pick<Subject, 'file' | 'repeat'>): Promise<Figure[]> {
  const cluster = await Cluster.start()
  const browser = await openBrowser()
  const client = connect({ baseUrl: cluster.processes[0].url })
  try {
    for (let count = 0; count < IMAGES; count += 1) await client.uploads.upload({ bytes: file })
    const page = await openPage(browser, cluster.processes[1].url)
    await measureStars(page, client, 2) // loads the code
    return [
      {
        name: 'star at one process until a page at another shows it, p95',
        value: p95(await measureStars(page, client, repeat)),
        unit: 'ms',
        mark: '800',
      },
    ]
  } finally {
    client.close()
    await browser.close()
    await cluster.stop()
  }
}
