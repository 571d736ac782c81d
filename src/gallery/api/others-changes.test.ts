import { expect, test, vi } from 'vitest'
import type { LibraryChanges } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import {
  type ImageView,
  type ImageWindow,
  TRASH_VIEW,
  WINDOW_SIZE,
} from '#gallery/api/images/image-windows.ts'
import { starredCountKey } from '#gallery/api/images/starred-count.ts'
import { trashKeys } from '#gallery/api/trash/trash-cache.ts'
import { ObservedQueries } from '#integration/observed-queries.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { imageRecord } from '#testing/fake-fetch.ts'
import { OthersChanges } from './others-changes.ts'

const api = testGalleryApi()
const others = () => new OthersChanges(api)

const everything: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }
const portraits: ImageView = { ...everything, boardId: 'portraits' }

const queries = new ObservedQueries(api)

const record = (image_name: string, change: Partial<ImageRecord> = {}): ImageRecord =>
  imageRecord({ image_name, board_id: 'portraits', deleted_at: null, ...change })

function observeView(name: string, view: ImageView, records: readonly ImageRecord[]): void {
  queries.observe(name, imageKeys.window(view, 0), { items: records, total: records.length })
}

const namesIn = (view: ImageView) => {
  const window = api.queryClient.getQueryData<ImageWindow>(imageKeys.window(view, 0))
  return window?.items.map((one) => one?.image_name)
}

const nothing = { created: [], updated: [], destroyed: [] }

const changed = (
  images: Partial<LibraryChanges['images']>,
  boards: readonly string[],
  records?: readonly ImageRecord[],
): LibraryChanges => ({
  old_state: '1-a',
  new_state: '2-b',
  has_more: false,
  images: { ...nothing, ...images },
  boards: { ...nothing, updated: [...boards] },
  unlisted_boards: [],
  is_everything_unlisted: false,
  idle_ms: 0,
  ...(records && { records: [...records] }),
})

test('shows a star, a move and the trash from the records, without asking for windows', async () => {
  const records = ['c', 'b', 'a'].map((name) => record(name))
  observeView('everything', everything, records)
  observeView('portraits', portraits, records)
  observeView('trash', TRASH_VIEW, [])

  others().show(
    changed(
      { updated: ['a', 'b'] },
      ['portraits', 'faces'],
      [record('a', { starred: true }), record('b', { board_id: 'faces' })],
    ),
  )
  await vi.runAllTimersAsync()

  expect(namesIn(everything)).toEqual(['c', 'b', 'a'])
  expect(namesIn(portraits)).toEqual(['c', 'a'])
  const window = api.queryClient.getQueryData<ImageWindow>(imageKeys.window(portraits, 0))
  expect(window?.items[1]?.starred).toBe(true)
  expect(queries.asked).toEqual([])

  others().show(
    changed({ updated: ['a'] }, ['portraits'], [record('a', { deleted_at: '2026-01-01' })]),
  )
  await vi.runAllTimersAsync()
  expect(namesIn(everything)).toEqual(['c', 'b'])
  // Only the server knows its place in the trash.
  expect(queries.asked).toEqual(['trash'])
})

test('removes an image that became intermediate, and asks where it is when it is one no longer', async () => {
  observeView('everything', everything, [record('b'), record('a')])

  const hidden = record('a', { is_intermediate: true })
  others().show(changed({ updated: ['a'] }, ['portraits'], [hidden]))
  await vi.runAllTimersAsync()
  expect(namesIn(everything)).toEqual(['b'])
  expect(queries.asked).toEqual([])

  others().show(changed({ updated: ['a'] }, ['portraits'], [record('a')]))
  await vi.runAllTimersAsync()
  expect(queries.asked).toEqual(['everything'])
})

test('does not count an image that has left its board before', async () => {
  queries.observe('boards', boardKeys.list(), [])
  queries.observe('none', boardKeys.uncategorizedCount(), 2)
  observeView('everything', everything, [record('a', { board_id: null })])

  others().show(changed({ destroyed: ['a'] }, ['portraits'], []))
  await vi.runAllTimersAsync()

  expect(api.queryClient.getQueryData(boardKeys.uncategorizedCount())).toBe(2)
})

test('asks for a view that has an image of another board', async () => {
  observeView('portraits', portraits, [record('a', { board_id: 'faces' })])

  others().show(changed({ updated: ['a'] }, ['faces'], [record('a', { board_id: 'faces' })]))
  await vi.runAllTimersAsync()

  expect(queries.asked).toEqual(['portraits'])
})

test('inserts new images, and asks for windows where their places are unknown', async () => {
  const byName: ImageView = { ...everything, orderBy: 'name' }
  observeView('newest first', everything, [record('a', { created_at: '2026-01-01' })])
  observeView('by name', byName, [record('a')])

  others().show(
    changed({ created: ['b'] }, ['portraits'], [record('b', { created_at: '2026-01-02' })]),
  )
  await vi.runAllTimersAsync()

  expect(namesIn(everything)).toEqual(['b', 'a'])
  expect(queries.asked).toEqual(['by name'])
})

test('keeps a change that the server has not confirmed yet', async () => {
  observeView('portraits', portraits, [record('a')])
  const star = api.imageCache.change(['a'], { starred: true })

  others().show(changed({ updated: ['a'] }, ['portraits'], [record('a', { width: 7 })]))

  const window = api.queryClient.getQueryData<ImageWindow>(imageKeys.window(portraits, 0))
  expect(window?.items[0]).toMatchObject({ starred: true, width: 7 })
  star.settle()
})

test('asks for images that the user changed after the question', async () => {
  observeView('portraits', portraits, [record('a', { starred: true })])
  api.contested.ask()
  api.contested.begin(['a'])()

  others().show(changed({ updated: ['a'] }, ['portraits'], [record('a', { starred: false })]))
  await vi.runAllTimersAsync()

  expect(queries.asked).toContain('portraits')
})

test('asks again for a window whose answer can be from before the change', async () => {
  const first = Promise.withResolvers<ImageWindow>()
  const answers = [first.promise, Promise.resolve({ items: [], total: 0 })]
  const queryKey = imageKeys.window(portraits, 0)
  api.queryClient.setQueryData(queryKey, { items: [record('a')], total: 1 })
  const queryFn = () => answers.shift() ?? Promise.reject(new Error('asked too often'))
  queries.observeWith({ queryKey, queryFn, staleTime: 0 })

  others().show(
    changed({ updated: ['a'] }, ['portraits', 'faces'], [record('a', { board_id: 'faces' })]),
  )
  first.resolve({ items: [record('a')], total: 1 })
  await vi.runAllTimersAsync()

  expect(namesIn(portraits)).toEqual([])
})

test('asks for the total of a view that may have lost an image outside its windows', async () => {
  const items = Array.from({ length: WINDOW_SIZE }, (_, at) => record(`${at}`))
  queries.observe('portraits', imageKeys.window(portraits, 0), { items, total: 900 })
  observeView('faces', { ...everything, boardId: 'faces' }, [])
  const gone = record('z', { deleted_at: '2026-01-01' })

  others().show(changed({ updated: ['z'] }, ['portraits'], [gone]))
  await vi.runAllTimersAsync()

  expect(queries.asked).toEqual(['portraits'])
})

test('asks for the views of boards on which more images changed than are named', async () => {
  observeView('everything', everything, [])
  observeView('portraits', portraits, [])
  observeView('faces', { ...everything, boardId: 'faces' }, [])

  others().show({ ...changed({}, []), unlisted_boards: ['portraits'] })
  await vi.runAllTimersAsync()

  expect(queries.asked.toSorted()).toEqual(['everything', 'portraits'])
})

test('asks at once for images whose changes are not listed, also after a busy time', async () => {
  observeView('portraits', portraits, [])
  const page = others()
  for (let upload = 0; upload < 40; upload++) {
    page.show(changed({ created: [`${upload}`] }, ['portraits'], [record(`${upload}`)]))
    await vi.advanceTimersByTimeAsync(500)
  }
  queries.asked = []

  page.show({ ...changed({}, []), unlisted_boards: ['portraits'] })
  await vi.advanceTimersByTimeAsync(0)

  expect(queries.asked).toEqual(['portraits'])
})

test('reads the trash again after a board was deleted', async () => {
  queries.observe('trash', trashKeys.summary(), { total: 0, boards: [] })

  others().show(changed({}, ['portraits']))
  await vi.runAllTimersAsync()

  expect(queries.asked).toEqual(['trash'])
})

test('reads the trash again after a board appeared while images were added', async () => {
  queries.observe('trash', trashKeys.summary(), { total: 0, boards: [] })
  const changes = changed({ created: ['a'] }, ['portraits'], [record('a')])

  others().show({ ...changes, boards: { ...changes.boards, created: ['restored'] } })
  await vi.runAllTimersAsync()

  expect(queries.asked).toEqual(['trash'])
})

test('counts stars and the trash again after images were added and then changed', async () => {
  queries.observe('trash', trashKeys.summary(), { total: 0, boards: [] })
  queries.observe('stars', starredCountKey, 0)
  const trashed = record('a', { deleted_at: '2026-01-01' })

  others().show(changed({ created: ['a'] }, ['portraits'], [trashed]))
  await vi.runAllTimersAsync()
  expect(queries.asked).toContain('trash')

  others().show(changed({ created: ['b'] }, ['portraits'], [record('b', { starred: true })]))
  await vi.runAllTimersAsync()
  expect(queries.asked.filter((name) => name === 'stars')).toHaveLength(2)
})

test('counts a board again at once after a pause, and seldom while images come in', async () => {
  queries.observe('boards', boardKeys.list(), [])
  queries.observe('none', boardKeys.uncategorizedCount(), 0)
  const shown = others()

  for (let second = 0; second < 30; second += 1) {
    shown.show(changed({ created: [`${second}`] }, ['portraits'], [record(`${second}`)]))
    await vi.advanceTimersByTimeAsync(1_000)
  }

  expect(queries.asked[0]).toBe('boards')
  expect(queries.asked.length).toBeLessThanOrEqual(9)
  expect(queries.asked).not.toContain('none')
})
