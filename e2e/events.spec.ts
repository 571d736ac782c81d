import { type Relay, startRelay } from '#testing/server/relay.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { copyOf, endlessAfterSaving, endlessTo } from './fixtures/graphs.ts'
import { farthestMove, recordPositions } from './fixtures/record-positions.ts'
import { test as base, expect } from './fixtures.ts'

const QUIET = 'Live updates stopped.'
const LOUD = 'The server does not answer.'

/** Timeout in ms for the engine on a busy machine. */
const RESULT_TIMEOUT = { timeout: 60_000 }

/** Fewer than one per image, and fewer than the hundred that a minute allows. */
const MAX_REQUESTS = 90

/** Tolerance in pixels for the position of a visible image. */
const MAX_MOVE_PX = 2

/** The page reaches the server through a relay. The tests reach it directly. */
const test = base.extend<{ relay: Relay }>({
  relay: async ({ server }, use) => {
    const relay = await startRelay(server.url)
    await use(relay)
    await relay.close()
  },
  baseURL: async ({ relay }, use) => use(relay.url),
})

/** Uses a server that can be killed. */
const testKilling = test.extend<{ process: ServerProcess }>({
  process: async ({ browserName: _ }, use) => {
    const process = await ServerProcess.start()
    await use(process)
    await process.close()
  },
  server: async ({ process }, use) => use(process),
})

test('shows completed images on their board and in the counts without a reload', async ({
  api,
  gallery,
}) => {
  const cat = await api.uploadImage('cat.png')
  const { boardId } = await api.createBoard('Portraits')
  await gallery.open({ board: 'Portraits' })
  await expect(gallery.page.getByRole('button', { name: 'Queue' })).toBeVisible()

  await api.client.queue.enqueue({ graph: copyOf(cat, boardId), runs: 3 })

  await expect(gallery.boardCount('Portraits')).toHaveText('3', RESULT_TIMEOUT)
  await expect(gallery.tiles).toHaveCount(3)
  await gallery.openBoard('All images')
  await expect(gallery.tiles).toHaveCount(4)
})

test('shows images completed before the first event connection @long', async ({
  api,
  gallery,
  page,
  relay,
}) => {
  const cat = await api.uploadImage('cat.png')
  relay.cutEvents()
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Queue' })).toBeVisible()

  const { item_ids } = await api.client.queue.enqueue({ graph: copyOf(cat) })
  const status = async () => (await api.client.queue.items(item_ids))[0]?.status
  await expect.poll(status, RESULT_TIMEOUT).toBe('completed')
  relay.restoreEvents()

  await expect(gallery.tiles).toHaveCount(2, RESULT_TIMEOUT)
  await expect(gallery.boardCount('Assets')).toHaveText('2')
})

test('does not report an item as interrupted that was canceled while disconnected @long', async ({
  api,
  gallery,
  page,
  relay,
}) => {
  const cat = await api.uploadImage('cat.png')
  await gallery.open()
  await page.getByRole('button', { name: 'Queue' }).click()
  const queue = page.getByRole('complementary', { name: 'Queue' })
  const { item_ids } = await api.client.queue.enqueue({ graph: endlessTo(cat) })
  await expect(queue.getByRole('region', { name: 'Running' })).toBeVisible(RESULT_TIMEOUT)

  relay.cutEvents()
  await expect(page.getByText(QUIET)).toBeVisible()
  for (const id of item_ids) await api.client.queue.cancel(id)
  relay.restoreEvents() // the page reconnects by itself

  await expect(queue.getByRole('region', { name: 'Finished' })).toContainText('Canceled')
  await expect(queue.getByText(/Interrupted/)).toBeHidden()
})

test('does not report saving while the next node runs @long', async ({ api, gallery, page }) => {
  const { image_name } = await api.uploadImage('cat.png')
  await gallery.open()
  await page.getByRole('button', { name: 'Queue' }).click()
  const running = page.getByRole('complementary', { name: 'Queue' }).getByRole('region', {
    name: 'Running',
  })

  await api.client.queue.enqueue({ graph: endlessAfterSaving({ image_name }) })

  await expect(
    gallery.tiles.filter({ has: page.locator('[data-picture*="-"][data-picture$=".png"]') }),
  ).toBeVisible(RESULT_TIMEOUT)
  await expect(running).toBeVisible()
  await expect(running).not.toContainText('Saving image')
})

test('reports a broken connection discreetly and catches up after reconnecting', async ({
  api,
  gallery,
  page,
  relay,
}) => {
  const cat = await api.uploadImage('cat.png')
  await gallery.open()
  await expect(gallery.tiles).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Queue' })).toBeVisible()
  await api.client.queue.enqueueOne({ graph: copyOf(cat) })
  await expect(gallery.tiles).toHaveCount(2, RESULT_TIMEOUT)

  relay.cutEvents()
  await expect(page.getByText(QUIET)).toBeVisible()
  await expect(page.getByText(/Trying again/)).toBeVisible()
  await expect(page.getByText(LOUD)).toBeHidden()
  const { item_ids } = await api.client.queue.enqueue({ graph: copyOf(cat), runs: 5 })
  await expect
    .poll(
      async () => (await api.client.queue.items(item_ids)).map(({ status }) => status),
      RESULT_TIMEOUT,
    )
    .toEqual(item_ids.map(() => 'completed'))

  relay.restoreEvents() // the page reconnects by itself

  await expect(page.getByText(QUIET)).toBeHidden()
  await expect(gallery.tiles).toHaveCount(7)
  await expect(gallery.boardCount('Assets')).toHaveText('7')
})

testKilling(
  'shows an item as interrupted after the server was killed, and runs it again @long',
  async ({ api, gallery, page, process }) => {
    const cat = await api.uploadImage('cat.png')
    await gallery.open()
    await page.getByRole('button', { name: 'Queue' }).click()
    const queue = page.getByRole('complementary', { name: 'Queue' })
    await api.client.queue.enqueue({ graph: endlessTo(cat) })
    await expect(queue.getByRole('region', { name: 'Running' })).toBeVisible(RESULT_TIMEOUT)

    await process.kill()
    await expect(page.getByText(LOUD)).toBeVisible()
    await expect(page.getByText(QUIET)).toBeHidden()
    await process.startAgain()

    await expect(page.getByText(LOUD)).toBeHidden()
    const ended = queue.getByRole('region', { name: 'Finished' })
    await expect(ended.getByText('Interrupted: the server stopped')).toBeVisible()
    await ended.getByRole('button', { name: /^Retry/ }).click()
    await expect(queue.getByRole('region', { name: 'Running' })).toBeVisible()
  },
)

test.describe('with a long library', () => {
  test.use({ libraryOf: 4_000, serverFlags: ['--rate-limit', '100,10'] })

  // Every test fails on the first 429 that the page receives.
  test('keeps the scroll position at row 500 while 100 images are completed @long', async ({
    api,
    gallery,
    page,
  }) => {
    test.setTimeout(240_000)
    const [cat] = (await api.client.images.page({ boardId: 'none' }, { offset: 0, limit: 1 })).items
    if (!cat) throw new Error('The library is empty.')
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles.first()).toBeVisible()
    await gallery.scrollTo(0.75)
    const names = await gallery.namesOnScreen()
    expect(await gallery.grid.evaluate((grid) => grid.scrollTop)).toBeGreaterThan(50_000)
    const stop = await recordPositions(gallery.grid, names)
    let requests = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/') && !request.url().includes('/thumbnail')) requests += 1
    })

    await api.client.queue.enqueue({ graph: copyOf(cat), runs: 100 })

    const isDone = async () => (await api.client.queue.status()).queue.completed
    await expect.poll(isDone, { timeout: 150_000 }).toBe(100)
    await expect(gallery.boardCount('Assets')).toHaveText('4,100')
    await expect(page.getByRole('main').getByText('4,100 images')).toBeVisible()
    await expect(page.getByRole('button', { name: '100 new' })).toBeVisible(RESULT_TIMEOUT)
    const places = Object.entries(await stop())
    expect(places.filter(([, seen]) => farthestMove(seen) > MAX_MOVE_PX)).toEqual([])
    expect(requests).toBeLessThan(MAX_REQUESTS)

    await page.getByRole('button', { name: /new$/ }).click()
    await expect(gallery.grid.getByRole('row').first()).toBeVisible()
    const newest = await api.imagesOn()
    expect(newest.filter(({ image_origin }) => image_origin === 'internal')).toHaveLength(100)
    await page.reload()
    await expect(gallery.boardCount('Assets')).toHaveText('4,100')
  })
})
