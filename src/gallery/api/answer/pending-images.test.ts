import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { systemClock } from '#gallery/api/clock.ts'
import { ImageCache, imageKeys } from '#gallery/api/images/image-cache.ts'
import { type ImageView, type ImageWindow, WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { PendingImages } from './pending-images.ts'

const TOTAL = 3 * WINDOW_SIZE

const view: ImageView = { boardId: 'b1', query: '', orderDir: 'DESC', starredFirst: false }

let pending: PendingImages
let onServer: string[]
let requested: { offset: number; limit: number }[]
let afterAnswer: () => void

beforeEach(() => {
  pending = new PendingImages(systemClock)
  onServer = Array.from({ length: TOTAL }, (_, at) => `${at}.png`)
  requested = []
  afterAnswer = () => {}
})

const record = (image_name: string) => ({ image_name, starred: false }) as ImageRecord

/** Fetches a window and returns the images that the page shows. */
async function shownNow(index: number) {
  const { items, total } = await pending.fetchWindow(view, index, async (part) => {
    requested.push(part)
    const { offset, limit } = part
    const answer = { items: onServer.slice(offset, offset + limit), total: onServer.length }
    afterAnswer()
    return { ...answer, items: answer.items.map(record) }
  })
  return { names: items.map((item) => item?.image_name), items, total }
}

/** Creates a cache with some loaded windows of the view. */
function pageWith(...indices: number[]) {
  const client = new QueryClient()
  for (const index of indices) {
    const items = onServer.slice(index * WINDOW_SIZE, (index + 1) * WINDOW_SIZE).map(record)
    const window: ImageWindow = { items, total: onServer.length }
    client.setQueryData(imageKeys.window(view, index), window)
  }
  const cache = new ImageCache(client, pending)
  const remove = (names: readonly string[]) =>
    cache.remove(names, { fromViews: (one) => one.boardId === view.boardId })
  return { cache, remove }
}

const without = (names: readonly string[]) => onServer.filter((name) => !names.includes(name))

const part = (names: readonly string[], index: number) =>
  names.slice(index * WINDOW_SIZE, (index + 1) * WINDOW_SIZE)

test('fetches a window with one request without pending changes', async () => {
  expect((await shownNow(1)).names).toEqual(part(onServer, 1))

  expect(requested).toEqual([{ offset: WINDOW_SIZE, limit: WINDOW_SIZE }])
})

test('fills the places of removed images with one request', async () => {
  const gone = onServer.slice(0, 150)
  pageWith(0).remove(gone)

  const { names, total } = await shownNow(0)

  expect(names).toEqual(part(without(gone), 0))
  expect(total).toBe(TOTAL - 150)
  expect(requested).toEqual([{ offset: 150, limit: WINDOW_SIZE }])
})

test('leaves no gap and no duplicate after several removals', async () => {
  const { remove } = pageWith(0, 1)
  const first = onServer.slice(0, 120)
  const second = onServer.slice(130, 260)
  const firstRemoval = remove(first)
  remove(second)
  const staying = without([...first, ...second])

  expect((await shownNow(0)).names).toEqual(part(staying, 0))
  onServer = without(first)
  firstRemoval.settle()

  expect((await shownNow(0)).names).toEqual(part(staying, 0))
  expect((await shownNow(1)).names).toEqual(part(staying, 1))
})

test('shows images at their positions after a rollback', async () => {
  const removal = pageWith(0).remove(onServer.slice(0, 50))

  removal()

  expect(await shownNow(0)).toMatchObject({ names: part(onServer, 0), total: TOTAL })
})

test('finds removed images in the answers of a view without cached windows', async () => {
  const gone = ['3.png', '5.png']
  pageWith().remove(gone)

  const { names, total } = await shownNow(0)

  expect(names).toEqual(part(without(gone), 0))
  expect(total).toBe(TOTAL - 2)
})

test('shows images that were inserted above meanwhile', async () => {
  const gone = onServer.slice(0, 100)
  pageWith(0).remove(gone)
  onServer = ['new-1.png', 'new-2.png', ...onServer]

  await shownNow(0)

  expect((await shownNow(0)).names).toEqual(part(without(gone), 0))
})

test('repeats a request whose answer arrives during the removal', async () => {
  const gone = onServer.slice(0, 100)
  const removal = pageWith(0).remove(gone)
  const staying = without(gone)
  afterAnswer = () => {
    onServer = staying
    removal.settle()
    afterAnswer = () => {}
  }

  expect((await shownNow(0)).names).toEqual(part(staying, 0))
  expect(requested).toHaveLength(2)
})

test('names no image whose removal was confirmed before the answer arrived', async () => {
  const { remove } = pageWith(0)
  const removedBefore = remove(['0.png'])

  const names = await pending.fetchNames(view, async () => {
    const answer = onServer
    removedBefore.settle()
    remove(['1.png']).settle()
    remove(['2.png'])()
    return answer
  })

  expect(names).toEqual(without(['0.png', '1.png']))
  expect(await pending.fetchNames(view, async () => onServer)).toEqual(onServer)
})

test('applies a pending change to the answer of an earlier request', async () => {
  const { cache, remove } = pageWith(0)
  afterAnswer = () => {
    cache.change(['1.png'], { starred: true })
    remove(['0.png'])
    afterAnswer = () => {}
  }

  const { items } = await shownNow(0)

  expect(items[0]).toMatchObject({ image_name: '1.png', starred: true })
  expect(items).toHaveLength(WINDOW_SIZE)
  expect(items).not.toContain(undefined)
})

test('applies a change that was confirmed during a request to its answer', async () => {
  const { cache } = pageWith(0)
  afterAnswer = () => {
    cache.change(['1.png'], { starred: true }).settle()
    cache.change(['2.png'], { starred: true })()
  }

  const { items } = await shownNow(0)

  expect(items[1]).toMatchObject({ image_name: '1.png', starred: true })
  expect(items[2]).toMatchObject({ image_name: '2.png', starred: false })
})

test('keeps a new image when an earlier answer arrives', async () => {
  const added = { ...record('new.png'), created_at: '2026-11-21 07:00:04.000' } as ImageRecord
  const onBoard = { ...added, board_id: view.boardId, image_category: 'general' } as ImageRecord
  onServer = []
  afterAnswer = () => pending.rememberNewImages([onBoard])

  expect((await shownNow(0)).names).toEqual(['new.png'])
  afterAnswer = () => {}
  expect((await shownNow(0)).names).toEqual([])
})
