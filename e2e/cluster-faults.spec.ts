import { choosePropertySeed } from '#build/property-seed.ts'
import type { TesseraClient } from '#client/index.ts'
import type { Cluster } from '#testing/cluster/cluster.ts'
import { findDamaged, findImages, findTorn } from '#testing/cluster/cluster-state.ts'
import { Load } from '#testing/cluster/load.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { test } from './cluster-fixtures.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { endlessTo, quickGraph } from './fixtures/graphs.ts'
import { expect } from './fixtures.ts'

/** Acknowledged requests before, during and after a fault. */
const REQUESTS = 40

/** Failed requests that show that a fault is felt. */
const FAILURES = 4

/** Leases last a minute. */
const LEASE_TIMEOUT = { timeout: 100_000 }

/** Breaks a part of the cluster while it is used, and repairs it. */
type Fault = (cluster: Cluster, load: Load) => Promise<void>

const faults: Record<string, Fault> = {
  'a process was killed': async ({ processes: [process] }, load) => {
    await process.kill()
    await load.acknowledged(REQUESTS)
    await process.startAgain()
  },
  'PostgreSQL was restarted': async ({ postgres }, load) => {
    await postgres.halt()
    await load.failed(FAILURES)
    await postgres.resume()
  },
  'Redis was restarted': async ({ redis }, load) => {
    await redis.halt()
    await load.acknowledged(REQUESTS)
    await redis.resume()
  },
  'S3 answered 503': async ({ s3 }, load) => {
    s3.fail('refuse')
    await load.failed(FAILURES)
    s3.recover()
  },
  'S3 did not answer': async ({ s3 }, load) => {
    s3.fail('hang', { times: FAILURES })
    await load.acknowledged(REQUESTS)
    s3.recover()
  },
  'S3 lost answers': async ({ s3 }, load) => {
    s3.fail('lose', { times: FAILURES })
    await load.acknowledged(REQUESTS)
    s3.recover()
  },
  'the lines of the proxy were cut': async ({ proxy }) => {
    await proxy.restart()
  },
}

for (const [name, strike] of Object.entries(faults))
  test(`keeps everything acknowledged and goes on after ${name}`, async ({
    api,
    cluster,
    gallery,
  }) => {
    const use = await startUse({ api, cluster, gallery }, name)
    await use.load.acknowledged(REQUESTS)

    const dropped = await use.dropFiles()
    await strike(cluster, use.load)

    await use.load.acknowledged(REQUESTS)
    await use.expectNothingLost(dropped)
  })

test('ends the items of a killed and of a paused process, which then comes back', async ({
  api,
  cluster,
  gallery,
}) => {
  const [one, two, three] = cluster.processes
  const cat = await api.uploadImage('cat.png')
  // Not through the proxy, which may send a read to the paused process.
  const statusAt = (process: typeof one) => {
    const { queue } = cluster.connect(process.url)
    return async (itemId: number) => (await queue.items([itemId]))[0]?.status
  }
  const runIn = async (process: typeof one) => {
    const { queue } = cluster.connect(process.url)
    const itemId = await queue.enqueueOne({ graph: endlessTo(cat) })
    await expect.poll(() => statusAt(process)(itemId)).toBe('in_progress')
    return itemId
  }
  await two.kill()
  await three.kill()
  const ofPaused = await runIn(one)
  await two.startAgain()
  // A process runs one item at a time, and the first one is busy.
  const ofKilled = await runIn(two)
  const use = await startUse({ api, cluster, gallery }, 'a process was paused')
  await use.load.acknowledged(REQUESTS)

  // At the same time, so that their leases of a minute run out together.
  one.pause()
  await two.kill()
  await Promise.all([two.startAgain(), three.startAgain()])
  const dropped = await use.dropFiles()
  await expect.poll(() => statusAt(three)(ofPaused), LEASE_TIMEOUT).toBe('canceled')
  await expect.poll(() => statusAt(three)(ofKilled), LEASE_TIMEOUT).toBe('canceled')
  one.resume()

  await cluster.proxy.untilAllAreReady()
  await use.load.acknowledged(REQUESTS)
  await use.expectNothingLost(dropped)
  expect(await statusAt(one)(ofPaused)).toBe('canceled')
  // Including those of the tests before.
  await expect.poll(() => countUnended(api.client), LEASE_TIMEOUT).toBe(0)
})

test('answers each read while its processes are updated one by one', async ({ cluster }) => {
  const url = `${cluster.url}/api/v1/boards/?all=true`
  const statuses: number[] = []
  let isOver = false
  const read = async () => {
    while (!isOver) statuses.push((await fetch(url)).status)
  }
  const reading = Promise.all([read(), read(), read()])

  await cluster.restartOneByOne()

  isOver = true
  await reading
  expect(statuses.filter((status) => status !== 200)).toEqual([])
})

interface Person {
  api: LibraryMaker
  cluster: Cluster
  gallery: GalleryPage
}

/** Opens a board in the browser, and uses the cluster at the same time with other clients. */
const startUse = async ({ api, cluster, gallery }: Person, name: string) => {
  const shown = await api.createBoard(`Shown when ${name}`)
  const one = await api.createBoard('One')
  const two = await api.createBoard('Two')
  const load = await Load.prepare(cluster, {
    seed: choosePropertySeed(),
    boardIds: [one.boardId, two.boardId],
    graph: quickGraph(shown.boardId),
  })
  await gallery.open({ board: shown.boardName })
  await expect(gallery.page.getByRole('button', { name: 'Queue' })).toBeVisible()
  load.start()

  const dropFiles = async () => {
    // Each test has other files, because the page asks before it uploads a file twice.
    const fileNames = ['owl.png', 'elk.jpg', 'fox.webp'].map((fileName) => `${name}, ${fileName}`)
    await gallery.dropFiles(fileNames, { on: 'page' })
    return fileNames
  }

  /** The page is not reloaded: it finds out by itself. */
  const expectNothingLost = async (dropped: readonly string[]) => {
    await load.stop()
    await expect
      .poll(() => api.namesOn(shown.boardName))
      .toEqual(expect.arrayContaining([...dropped]))
    // Items of the load may still end.
    await expect(async () => {
      const { length } = await api.imagesOn(shown.boardName)
      expect(await gallery.boardCount(shown.boardName).textContent()).toBe(String(length))
    }).toPass()

    const found = await findImages(api.client)
    expect(load.faultsAgainst(found, [one.boardId, two.boardId])).toEqual([])
    await expect.poll(() => findTorn(cluster)).toEqual([])
    expect(await findDamaged(api.client, load.hashesOnBoards())).toEqual([])
  }
  return { load, dropFiles, expectNothingLost }
}

const countUnended = async ({ queue }: TesseraClient): Promise<number> => {
  const { pending, in_progress, waiting } = (await queue.status()).queue
  return pending + in_progress + waiting
}
