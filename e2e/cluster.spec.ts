import type { QueueItem, ServerEvent, TesseraClient } from '#client/index.ts'
import { BATCH_REQUESTS_PER_MINUTE, REQUESTS_PER_MINUTE } from '#contract/limits.ts'
import type { Cluster } from '#testing/cluster/cluster.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { readStoredZip } from '#testing/library/read-stored-zip.ts'
import { test } from './cluster-fixtures.ts'
import { copyOf, endlessTo, quickGraph } from './fixtures/graphs.ts'
import { expect } from './fixtures.ts'

// As a person starts them.
test.use({ clusterFlags: ['--rate-limit', `${REQUESTS_PER_MINUTE},${BATCH_REQUESTS_PER_MINUTE}`] })

/** One client for each process, not through the proxy. */
const connectToEach = (cluster: Cluster) => {
  const [one, two, three] = cluster.processes
  return [cluster.connect(one.url), cluster.connect(two.url), cluster.connect(three.url)] as const
}

/** Collects the events that a client receives, once it is connected. */
const listenWith = async (client: TesseraClient) => {
  const events: ServerEvent[] = []
  client.events.listen((event) => events.push(event))
  await expect.poll(() => client.events.getState().phase).toBe('open')
  return events
}

/** Collects the boards that are created, with a client that is connected and knows the current state. */
const watchAt = async (cluster: Cluster, url: string) => {
  const client = cluster.connect(url, { changes: true })
  const { new_state: since } = await client.changes.list()
  const created: string[] = []
  const read = async () => {
    for await (const { boards } of client.changes.watch({ since })) created.push(...boards.created)
  }
  // It ends when the client is closed.
  void read().catch(() => {})
  await expect.poll(() => client.events.getState().phase).toBe('open')
  return { client, created }
}

const namesIn = (zip: Uint8Array): string[] => [...readStoredZip(Buffer.from(zip)).keys()]

const statusOf = async (client: TesseraClient, itemId: number) =>
  (await client.queue.items([itemId]))[0]?.status

test('counts the requests of a client in all processes together', async ({ cluster }) => {
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  const read = (url: string) =>
    fetch(`${url}/api/v1/boards/?all=true`, { headers }).then(({ status }) => status)

  const statuses = await Promise.all(
    Array.from({ length: REQUESTS_PER_MINUTE + 20 }, () => read(cluster.url)),
  )

  expect(statuses.filter((status) => status === 200)).toHaveLength(REQUESTS_PER_MINUTE)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  for (const { url } of cluster.processes) expect(await read(url)).toBe(429)
})

test('shows and serves an upload in each process', async ({ cluster }) => {
  const clients = connectToEach(cluster)
  const [first] = clients
  const file = await drawFile('cat.png')

  const { image_name } = await first.uploads.upload({ bytes: file, fileName: 'cat.png' })

  for (const client of clients) {
    expect(await client.images.get(image_name)).toMatchObject({ file_name: 'cat.png' })
    const bytes = await new Response(await client.images.stream(image_name)).bytes()
    expect(bytes).toEqual(await file.bytes())
  }
})

test('sends the events of an item to the clients of all processes', async ({ cluster }) => {
  const clients = connectToEach(cluster)
  const [first] = clients
  const received = await Promise.all(clients.map(listenWith))

  const itemIds: number[] = []
  for (const client of clients) itemIds.push(await client.queue.enqueueOne({ graph: quickGraph() }))

  for (const itemId of itemIds) await first.queue.job(itemId).wait()
  const statusesOf = (events: readonly ServerEvent[], itemId: number): QueueItem['status'][] =>
    events.flatMap(({ event, data }) =>
      event === 'queue_item_status_changed' && data.item_id === itemId ? [data.status] : [],
    )
  for (const events of received)
    for (const itemId of itemIds)
      await expect.poll(() => statusesOf(events, itemId)).toEqual(['in_progress', 'completed'])
  for (const client of clients) client.close()
})

test('tells the clients of all processes what changed at one of them', async ({ cluster }) => {
  const clients = connectToEach(cluster)
  const [first] = clients
  const { new_state: since } = await first.changes.list()
  const listening = cluster.processes.map(({ url }) => cluster.connect(url, { changes: true }))
  const received = await Promise.all(listening.map(listenWith))

  const { boardId } = await first.boards.createBoard('Seen by all')

  const statesOf = (events: readonly ServerEvent[]) =>
    events.flatMap(({ event, data }) => (event === 'library_changed' ? [data.state] : []))
  for (const client of clients) {
    const { boards, new_state } = await client.changes.list({ since })
    expect(boards.created).toEqual([boardId])
    for (const events of received) await expect.poll(() => statesOf(events)).toContain(new_state)
  }
  for (const client of listening) client.close()
})

test('shows changes at other processes while Redis is away, and when it is back', async ({
  cluster,
  gallery,
}) => {
  await gallery.open()
  const [first] = connectToEach(cluster)
  const watches = await Promise.all(cluster.processes.map(({ url }) => watchAt(cluster, url)))
  const createAndSee = async (name: string) => {
    const { boardId } = await first.boards.createBoard(name)
    for (const { created } of watches) await expect.poll(() => created).toContain(boardId)
    await expect(gallery.board(name)).toBeVisible()
  }

  await cluster.redis.halt()
  for (const { client } of watches)
    await expect.poll(() => client.events.getState().phase).not.toBe('open')
  await createAndSee('Made without Redis')

  await cluster.redis.resume()
  for (const { client } of watches)
    await expect.poll(() => client.events.getState().phase).toBe('open')
  await createAndSee('Made with Redis again')
  for (const { client } of watches) client.close()
})

test('keeps one WebSocket of a client in all processes', async ({ cluster }) => {
  const [first, second] = cluster.processes
  const one = cluster.connect(first.url, { clientId: 'script' })
  const two = cluster.connect(second.url, { clientId: 'script' })

  await listenWith(one)
  await listenWith(two)

  await expect.poll(() => one.events.getState().phase).toBe('replaced')
  expect(two.events.getState().phase).toBe('open')
  one.close()
  two.close()
})

test('pauses, cancels and clears the queue through any process', async ({ cluster }) => {
  const [one, two, three] = connectToEach(cluster)
  const cat = await one.uploads.upload({ bytes: await drawFile('cat.png') })
  const endless = await one.queue.enqueueOne({ graph: endlessTo(cat) })
  await expect.poll(() => statusOf(two, endless)).toBe('in_progress')

  await two.queue.pause()
  const waiting = await three.queue.enqueueOne({ graph: quickGraph() })
  await three.queue.cancel(endless)

  await expect.poll(() => statusOf(one, endless)).toBe('canceled')
  expect((await one.queue.status()).processor.is_started).toBe(false)
  expect(await statusOf(one, waiting)).toBe('pending')
  await two.queue.clear()
  expect((await one.queue.status()).queue.total).toBe(0)
  await one.queue.resume()
  const next = await two.queue.enqueueOne({ graph: copyOf(cat) })
  await expect.poll(() => statusOf(three, next)).toBe('completed')
})

test('serves zips of one process through the others', async ({ cluster }) => {
  const [one, two, three] = connectToEach(cluster)
  const board = await one.boards.createBoard('For a zip')
  const source = { boardId: board.boardId }
  for (const fileName of ['cat.png', 'dog.png']) {
    const bytes = await drawFile(fileName)
    await one.uploads.upload({ bytes, fileName }, source)
  }
  const events = await listenWith(three)

  const archive = await one.downloads.createArchive(source)
  const download = await fetch(`${cluster.processes[1].url}/${archive.archive_url}`)
  const bulk = await two.downloads.startBulkDownload(source)

  expect(namesIn(await download.bytes())).toHaveLength(2)
  const complete = ({ event }: ServerEvent) => event === 'bulk_download_complete'
  await expect.poll(() => events.some(complete)).toBe(true)
  const zip = await three.downloads.bulkDownload(bulk)
  expect(namesIn(await zip.bytes())).toHaveLength(2)
  three.close()
})

test('is one gallery for a person, also while its processes are restarted', async ({
  api,
  gallery,
  page,
  server,
}) => {
  await gallery.open({ board: 'none' })
  await gallery.createBoard('Portraits')
  await expect.poll(() => api.boardNames()).toContain('Portraits')
  await gallery.open({ board: 'Portraits' })
  await gallery.dropFiles(['owl.png', 'elk.jpg', 'fox.webp'], { on: 'page' })
  await expect(gallery.tiles).toHaveCount(3)
  await gallery.star('elk.jpg')
  await gallery.deleteImage('fox.webp')
  await expect(gallery.tiles).toHaveCount(2)
  await expect.poll(() => api.trashedNames()).toEqual(['fox.webp'])

  await server.restart()

  // Without a reload.
  const { boardId } = (await api.client.boards.getBoardHandleByName('Portraits')) ?? {}
  await api.client.queue.enqueue({ graph: quickGraph(boardId), runs: 3 })
  await expect(gallery.tiles).toHaveCount(5)
  await page.reload()
  await expect(gallery.image('elk.jpg').getByRole('button', { name: 'Unstar' })).toBeAttached()
  await expect(gallery.tiles).toHaveCount(5)
})
