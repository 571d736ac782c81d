import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { type ImageView, type ImageWindow, WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { makeLocator } from './locator.ts'

const view: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }

const windowOf = (...names: string[]): ImageWindow => ({
  items: names.map((image_name) => ({ image_name }) as ImageRecord),
  total: 1000,
})

const clientWith = (windows: Record<number, ImageWindow>): QueryClient => {
  const client = new QueryClient()
  for (const [index, window] of Object.entries(windows)) {
    client.setQueryData(imageKeys.window(view, Number(index)), window)
  }
  return client
}

test('finds an image in any cached window', () => {
  const locate = makeLocator(clientWith({ 0: windowOf('a', 'b'), 3: windowOf('c', 'd') }), view)

  expect(locate('b')).toBe(1)
  expect(locate('d')).toBe(3 * WINDOW_SIZE + 1)
})

test('returns undefined for an image in no cached window', () => {
  const locate = makeLocator(clientWith({ 0: windowOf('a') }), view)

  expect(locate('z')).toBeUndefined()
})

test('finds an image again after it moved', () => {
  const client = clientWith({ 0: windowOf('a', 'b', 'c') })
  const locate = makeLocator(client, view)
  locate('c')

  client.setQueryData(imageKeys.window(view, 0), windowOf('new', 'a', 'b', 'c'))

  expect(locate('c')).toBe(3)
})

test('ignores windows of another view', () => {
  const locate = makeLocator(clientWith({ 0: windowOf('a') }), { ...view, boardId: 'none' })

  expect(locate('a')).toBeUndefined()
})
