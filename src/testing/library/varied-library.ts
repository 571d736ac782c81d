import { setTimeout as delay } from 'node:timers/promises'
import { itemUrls } from '#contract/videos/video-urls.ts'
import type { RunningServer } from '#testing/server/start-server.ts'
import { drawClip } from './draw-clip.ts'
import { LibraryMaker } from './library-maker.ts'

/** The server's clock must advance by this after the library was filled. */
export const DAY_MS = 86_400_000

const send = async ({ url }: RunningServer, path: string, body: unknown): Promise<void> => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** Fills a library with every kind of record. */
export const fillVariedLibrary = async (server: RunningServer): Promise<void> => {
  const { client, clock } = server
  const maker = new LibraryMaker(client)
  const portraits = await maker.createBoard('Portraits 肖像')
  const gone = await maker.createBoard('Deleted')
  await client.boards.deleteBoard(gone.boardId)
  await maker.createBoard('Trashed')
  await maker.uploadImages(['a.png', 'b.jpg', 'c.webp'], { board: 'Portraits 肖像' })
  await maker.uploadImages(['Küche 10.png', 'Küche 9.png', 'twin.png'])
  await maker.uploadImage('in trashed board.png', { board: 'Trashed' })
  await maker.uploadImage('control.png', { category: 'control' })
  const texts = { prompt: JSON.stringify({ '1': { class_type: 'Wan' } }) }
  const clip = {
    bytes: new Blob([await drawClip({ hasSound: true, texts, black: 5 })]),
    fileName: 'boat.mp4',
  }
  const options = { boardId: portraits.boardId, imageCategory: 'general' } as const
  const withPoster = await client.videos.upload(clip, options)
  await client.videos.setPoster(withPoster.video_name, { timeMs: 100 })
  const { video_name } = await client.videos.upload(clip, { isIntermediate: true })
  await client.videos.star([video_name])
  const trashedClip = await client.videos.upload(clip)
  // The same bytes and the same time: their order follows from their ids.
  await maker.uploadImages(['twin.png', 'twin.png'])
  clock.advance(DAY_MS)
  const deleted = await maker.uploadImage('deleted.png')
  const trashed = await maker.uploadImage('trashed.png')
  const [cover] = await maker.imagesOn('Portraits 肖像')
  if (cover !== undefined) {
    await maker.starImages(cover)
    await client.boardOperations.update(portraits.boardId, { cover_image_name: cover.image_name })
  }
  const rated = [cover?.image_name ?? '', trashed.image_name, video_name]
  await client.images.rate(rated, 4)
  await client.images.tag(rated, { add: ['Menschen/Änne', '肖像', 'keep'] })
  await client.tags.update('keep', { color: 'green' })
  await client.tags.update('肖像', { new_name: 'keep' })
  const trashedBoard = await client.boards.getBoardHandleByName('Trashed')
  await client.trash.trashImages([trashed.image_name, trashedClip.video_name])
  if (trashedBoard) await client.trash.trashBoard(trashedBoard.boardId, { includeImages: true })
  await client.images.delete([deleted.image_name])
  await send(server, '/api/v1/client_state/default/set_by_key?key=theme', 'dark \u0000 \u{1f5bc}')
  await client.searches.create({ name: 'Küche 肖像', query: 'kuche -is:starred', icon: 'star' })
  await client.searches.create({
    name: 'Videos',
    query: 'boat',
    filter: { kind: 'video' },
    position: 'a0',
  })
  const nodes = { node: { id: 'node', type: 'add', a: 1, b: 2 } }
  const enqueue = (runs: number, destination: string) =>
    send(server, '/api/v1/queue/default/enqueue_batch', {
      batch: { graph: { id: 'graph', nodes, edges: [] }, runs, destination },
    })
  await enqueue(2, 'canvas')
  while ((await client.queue.status()).queue.completed < 2) await delay(10)
  await client.queue.pause()
  await enqueue(2, 'gallery')
  await fetch(`${server.url}/api/v1/queue/default/i/3/cancel`, { method: 'PUT' })
  await server.settled()
}

const paths = [
  'boards/?all=true&include_archived=true',
  'boards/?all=true&include_uncategorized=true',
  ...['created_at', 'taken_at', 'name', 'size'].flatMap((order) =>
    ['ASC', 'DESC'].map(
      (dir) => `images/?limit=-1&order_by=${order}&order_dir=${dir}&starred_first=true&kind=all`,
    ),
  ),
  ...['a', '肖像', 'kuche', 'trashed', 'deleted', 'twin png', 'seed', 'boat'].map(
    (term) => `images/?limit=-1&query=${encodeURIComponent(term)}&kind=all`,
  ),
  'images/?limit=-1&search_term=prompt',
  'images/names?categories=control',
  'images/days',
  'videos/?limit=1000',
  'images/intermediates',
  'trash/?limit=1000&kind=all',
  'client_state/default/get_keys_by_prefix?prefix=',
  'client_state/default/get_by_key?key=theme',
  'queue/default/status',
  'queue/default/list_all',
  'queue/default/counts_by_destination?destination=canvas',
  'imports',
  'searches',
  'tags',
  'images/?limit=-1&query=rating:4%20tag:keep&kind=all',
]

/** The graph of an item that has not started gets an id with each answer. */
const withoutRandomIds = (text: string): string =>
  text.replaceAll(/"execution_graph":\{"id":"[^"]*"/g, '"execution_graph":{"id":""')

/** Returns what a client can read of a library, with the bytes, thumbnail and metadata of each item. */
export const answersOf = async ({ url }: { url: string }): Promise<Record<string, unknown>> => {
  const answers: Record<string, unknown> = {}
  const ask = async (path: string) => {
    const response = await fetch(`${url}/api/v1/${path}`)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    answers[path] = JSON.parse(withoutRandomIds(await response.text()))
    return answers[path]
  }
  for (const path of paths) await ask(path)
  const { image_names } = (await ask('images/names?kind=all')) as { image_names: string[] }
  const { items } = (await ask('trash/?limit=1000&kind=all')) as { items: { image_name: string }[] }
  for (const name of [...image_names, ...items.map(({ image_name }) => image_name)]) {
    await ask(`images/i/${name}/metadata?kind=all`)
    await ask(`images/i/${name}/workflow?kind=all`)
    const original = await fetch(`${url}/${itemUrls(name).image_url}`)
    answers[`${name} original`] = Buffer.from(await original.bytes()).toString('base64')
    const thumbnail = await fetch(`${url}/${itemUrls(name).thumbnail_url}`)
    answers[`${name} thumbnail`] = Buffer.from(await thumbnail.bytes()).toString('base64')
  }
  return answers
}
