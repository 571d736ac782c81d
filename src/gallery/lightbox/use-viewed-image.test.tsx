import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { testView, windowsOf } from '#integration/grid-in-window.ts'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { usePrefetch, useViewedImage } from './use-viewed-image.ts'

let part: PartInWindow
beforeEach(() => {
  part = new PartInWindow()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
})
afterEach(() => vi.unstubAllGlobals())

const view = (imageName: string) =>
  renderHook((props) => useViewedImage(testView, props.imageName), {
    wrapper: part.Wrapper,
    initialProps: { imageName },
  })

test('finds the image, its position and its neighbors in the cached windows', () => {
  part.cacheWindows(30)

  const { result } = view('29.png')

  expect(result.current.image?.image_name).toBe('29.png')
  expect(result.current.viewPosition).toEqual({ at: 1 })
  expect(result.current.neighbors).toEqual({ previous: 0, next: 2 })
  expect(result.current.neighborRecords.map(({ image_name }) => image_name)).toEqual([
    '28.png',
    '30.png',
  ])
})

test('has no neighbors beyond the ends of the view', () => {
  part.cacheWindows(30)

  expect(view('30.png').result.current.neighbors).toEqual({ previous: null, next: 1 })
  expect(view('1.png').result.current.neighbors).toEqual({ previous: 28, next: null })
})

test('follows an image that moves, because images were inserted before it', async () => {
  part.cacheWindows(30)
  const { result } = view('29.png')

  part.cacheWindows(32)

  await waitFor(() => expect(result.current.viewPosition).toEqual({ at: 3 }))
})

test('keeps showing an image that left the view, at the gap where it was', async () => {
  part.cacheWindows(30)
  const { result } = view('29.png')

  const [first] = windowsOf(30).values()
  const items = first?.items.filter((record) => record?.image_name !== '29.png')
  part.api.queryClient.setQueryData(imageKeys.window(testView, 0), { items, total: 29 })

  await waitFor(() => expect(result.current.viewPosition).toEqual({ before: 1 }))
  expect(result.current.image?.image_name).toBe('29.png')
})

test('does not know an image that is not loaded yet', () => {
  const { result } = view('29.png')

  expect(result.current.image).toBeUndefined()
  expect(result.current.viewPosition).toBeNull()
})

test('usePrefetch loads images, and cancels those that are no longer wanted', () => {
  const images: { src: string }[] = []
  vi.stubGlobal(
    'Image',
    class {
      src = ''
      constructor() {
        images.push(this)
      }
    },
  )
  const { rerender, unmount } = renderHook(({ urls }) => usePrefetch(urls), {
    initialProps: { urls: ['/a', '/b'] },
  })
  expect(images.map(({ src }) => src)).toEqual(['/a', '/b'])

  rerender({ urls: ['/b', '/c'] })
  expect(images.map(({ src }) => src)).toEqual(['', '/b', '/c'])
  unmount()

  expect(images.map(({ src }) => src)).toEqual(['', '', ''])
})
