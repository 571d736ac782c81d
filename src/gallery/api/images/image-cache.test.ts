import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { PendingImages } from '#gallery/api/answer/pending-images.ts'
import { systemClock } from '#gallery/api/clock.ts'
import { cachedWindows, ImageCache, imageKeys } from './image-cache.ts'
import { type ImageView, type ImageWindow, WINDOW_SIZE } from './image-windows.ts'

const everything: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }
const portraits: ImageView = { ...everything, boardId: 'portraits' }

const record = (image_name: string) => ({ image_name, starred: false }) as ImageRecord

const windowOf = (count: number, index: number): ImageWindow => ({
  items: Array.from({ length: count }, (_, at) => record(`${at}.png`)).slice(
    index * WINDOW_SIZE,
    (index + 1) * WINDOW_SIZE,
  ),
  total: count,
})

function openCache(count: number, view = everything) {
  const client = new QueryClient()
  for (let index = 0; index * WINDOW_SIZE < count; index += 1) {
    client.setQueryData(imageKeys.window(view, index), windowOf(count, index))
  }
  const window = (index: number, of = view) =>
    client.getQueryData<ImageWindow>(imageKeys.window(of, index))
  const cache = new ImageCache(client, new PendingImages(systemClock))
  return { client, cache, window }
}

test('stars an image in all views until the change is rolled back', () => {
  const { client, cache, window } = openCache(3)
  client.setQueryData(imageKeys.window(portraits, 0), windowOf(2, 0))

  const putBack = cache.change(['1.png'], { starred: true })

  expect(window(0)?.items[1]?.starred).toBe(true)
  expect(window(0, portraits)?.items[1]?.starred).toBe(true)
  putBack()
  expect(window(0)?.items[1]?.starred).toBe(false)
})

test('returns the windows of a view without those of the same view with filters', () => {
  const { client } = openCache(3, { ...everything, categories: [] })
  const masks: ImageView = { ...everything, categories: ['mask'] }
  client.setQueryData(imageKeys.window(masks, 0), windowOf(0, 0))

  expect(cachedWindows(client, { ...everything, categories: [] }).get(0)?.total).toBe(3)
  expect(cachedWindows(client, masks).get(0)?.total).toBe(0)
  expect(cachedWindows(client, portraits).size).toBe(0)
})

test('completes a provisional record and keeps a star that was set meanwhile', () => {
  const { cache, window } = openCache(2)
  cache.change(['1.png'], { starred: true })

  cache.complete([{ ...record('1.png'), file_size: 7 }])

  expect(window(0)?.items[1]).toEqual({ image_name: '1.png', starred: true, file_size: 7 })
  expect(window(0)?.items[0]).toEqual(record('0.png'))
})

test('removes images only from matching views and moves later ones up', () => {
  const { client, cache, window } = openCache(WINDOW_SIZE + 10)
  client.setQueryData(imageKeys.window(portraits, 0), windowOf(5, 0))

  cache.remove(['0.png', '3.png'], { fromViews: (view) => view.boardId === null }).settle()

  expect(window(0)?.total).toBe(WINDOW_SIZE + 8)
  expect(window(0)?.items.at(-1)?.image_name).toBe(`${WINDOW_SIZE + 1}.png`)
  expect(window(0, portraits)?.total).toBe(5)
})

test('restores all windows and totals when a removal is rolled back', () => {
  const { cache, window } = openCache(WINDOW_SIZE + 10)

  cache.remove(['0.png'], { fromViews: () => true })()

  expect(window(0)).toEqual(windowOf(WINDOW_SIZE + 10, 0))
  expect(window(1)).toEqual(windowOf(WINDOW_SIZE + 10, 1))
})

test('shrinks the total for unloaded images if all names are known', () => {
  const { client, cache, window } = openCache(WINDOW_SIZE)
  const names = Array.from({ length: WINDOW_SIZE }, (_, at) => `${at}.png`)
  client.setQueryData(imageKeys.window(everything, 0), { ...windowOf(WINDOW_SIZE, 0), total: 1000 })
  const far = Array.from({ length: 800 }, (_, at) => `far-${at}.png`)
  client.setQueryData(imageKeys.names(everything), [...names, ...far])

  cache.remove(far, { fromViews: () => true }).settle()

  expect(window(0)?.total).toBe(WINDOW_SIZE)
  expect(client.getQueryData(imageKeys.names(everything))).toEqual(names)
})

test('fetches unknown records that move into a window, and again after confirmation', () => {
  const { client, cache } = openCache(WINDOW_SIZE + 10)
  client.removeQueries({ queryKey: imageKeys.window(everything, 1) })
  const isWanted = () =>
    client.getQueryState(imageKeys.window(everything, 0))?.isInvalidated === true

  cache.remove(['0.png'], { fromViews: () => true }).settle()

  expect(isWanted()).toBe(true)
})

test('sends no request for a removal without holes', () => {
  const { client, cache } = openCache(WINDOW_SIZE)

  cache.remove(['0.png'], { fromViews: () => true }).settle()

  expect(client.getQueryState(imageKeys.window(everything, 0))?.isInvalidated).toBe(false)
})

test('refetches a window that has changed since instead of rolling it back', () => {
  const { client, cache, window } = openCache(3)
  const putBack = cache.change(['1.png'], { starred: true })
  client.setQueryData(imageKeys.window(everything, 0), windowOf(2, 0))

  putBack()

  expect(window(0)?.total).toBe(2)
  expect(client.getQueryState(imageKeys.window(everything, 0))?.isInvalidated).toBe(true)
})
