import type { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { uncategorizedBoard } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import { type BoardCache, boardKeys } from '#gallery/api/boards/board-cache.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { imageAnswer } from '#testing/fake-fetch.ts'
import { type ImageCache, imageKeys } from './image-cache.ts'
import type { ImageView, ImageWindow } from './image-windows.ts'
import type { NewImages } from './new-images.ts'

const view: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }
const image = (second: number): ImageRecord => ({
  ...(imageAnswer({ image_name: `${second}.png` }) as ImageRecord),
  created_at: `2026-11-21 07:00:0${second}.000`,
})

let newImages: NewImages
let boardCache: BoardCache
let imageCache: ImageCache
let queryClient: QueryClient
const names = () =>
  queryClient
    .getQueryData<ImageWindow>(imageKeys.window(view, 0))
    ?.items.map((record) => record?.image_name)
const isStale = () => queryClient.getQueryState(imageKeys.window(view, 0))?.isInvalidated

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  const fetch = () => Promise.reject(new TypeError('no server'))
  ;({ newImages, boardCache, imageCache, queryClient } = testGalleryApi({ fetch }))
  queryClient.setQueryData(imageKeys.window(view, 0), { items: [image(1)], total: 1 })
})

afterEach(async () => {
  await vi.advanceTimersByTimeAsync(60_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('inserts uploaded and generated images by their time', async () => {
  newImages.insertUploaded(image(3))
  newImages.insertGenerated({
    sessionId: 'session',
    imageNames: ['2.png'],
    records: [image(2)],
    onInserted: () => {},
  })
  await vi.advanceTimersByTimeAsync(200)

  expect(names()).toEqual(['3.png', '2.png', '1.png'])
})

test.each(['before', 'after'])(
  'counts a generated image that is listed as a change %s its event once',
  async (at) => {
    const portraits = { ...uncategorizedBoard(), board_id: 'portraits', image_count: 3 }
    const read = () => boardCache.boards.fetch(async () => [portraits])
    queryClient.setQueryData(boardKeys.list(), await read())
    const record = { ...image(2), board_id: 'portraits' }
    const hear = async () => {
      newImages.insertOfOthers([record])
      queryClient.setQueryData(boardKeys.list(), await read())
    }
    if (at === 'before') await hear()
    newImages.insertGenerated({
      sessionId: 'session',
      imageNames: ['2.png'],
      records: [record],
      onInserted: () => {},
    })
    await vi.advanceTimersByTimeAsync(200)
    if (at === 'after') await hear()

    expect(queryClient.getQueryData(boardKeys.list())).toMatchObject([{ image_count: 3 }])
  },
)

test('inserts uploads at most once per second', async () => {
  newImages.insertUploaded(image(2))
  newImages.insertUploaded(image(3))
  await vi.advanceTimersByTimeAsync(500)
  expect(names()).toEqual(['2.png', '1.png'])

  await vi.advanceTimersByTimeAsync(600)

  expect(names()).toEqual(['3.png', '2.png', '1.png'])
})

test.each(['pending', 'confirmed'])('leaves out an upload whose move is %s', async (state) => {
  const assets = { ...view, boardId: 'none' }
  const windowOfAssets = () =>
    queryClient.getQueryData<ImageWindow>(imageKeys.window(assets, 0))?.items
  queryClient.setQueryData(imageKeys.window(assets, 0), { items: [image(1)], total: 1 })
  newImages.insertUploaded(image(2))
  newImages.insertUploaded(image(3))
  newImages.insertUploaded(image(4))

  const moved = [
    imageCache.change(['3.png'], { board_id: 'castles' }),
    imageCache.remove(['3.png'], { fromViews: ({ boardId }) => boardId === 'none' }),
  ]
  if (state === 'confirmed') for (const part of moved) part.settle()
  await vi.advanceTimersByTimeAsync(1_100)

  expect(windowOfAssets()?.map((record) => record?.image_name)).toEqual(['4.png', '2.png', '1.png'])
})

test('refreshes the views during and after uploads', async () => {
  newImages.insertUploaded(image(2))
  expect(isStale()).toBe(false)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(isStale()).toBe(true)

  queryClient.setQueryData(imageKeys.window(view, 0), { items: [image(2), image(1)], total: 2 })
  newImages.insertUploaded(image(3))
  newImages.refreshAfterUploads()

  expect(isStale()).toBe(true)
})

test('reloads a list that is loading when an upload ends', async () => {
  const queryKey = [...imageKeys.all(), 'a list']
  const before = Promise.withResolvers<string>()
  let asked = 0
  const load = () => {
    asked += 1
    return asked === 1 ? before.promise : Promise.resolve('with the upload')
  }
  const loading = queryClient.prefetchQuery({ queryKey, queryFn: load })

  newImages.insertUploaded(image(2))
  newImages.refreshAfterUploads()
  before.resolve('without the upload')
  await loading

  await vi.waitFor(() => expect(queryClient.getQueryData(queryKey)).toBe('with the upload'))
})
