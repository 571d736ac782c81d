import { expect, test, vi } from 'vitest'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { facetCacheKeys, imageKeys } from '#gallery/api/images/image-cache.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { ObservedQueries } from '#integration/observed-queries.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'

const api = testGalleryApi()

const view: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }
const windowKey = imageKeys.window(view, 0)

const queries = new ObservedQueries(api)

test('refetches views and boards now and then after messages of other tabs', async () => {
  queries.observe('window', windowKey, { items: [], total: 0 })
  queries.observe('boards', boardKeys.list(), [])

  for (let message = 0; message < 6; message += 1) {
    api.refresh.allSoon()
    await vi.advanceTimersByTimeAsync(300)
  }

  expect(queries.asked.filter((name) => name === 'window')).toHaveLength(4)
  expect(queries.asked.filter((name) => name === 'boards')).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(queries.asked.filter((name) => name === 'window')).toHaveLength(5)
})

test('counts properties again after changes, but only every few seconds', async () => {
  const key = facetCacheKeys.of(view, { keys: ['model'], limit: 8, text: '' })
  queries.observe('facets', key, [])
  queries.observe('window', windowKey, { items: [], total: 0 })

  for (let change = 0; change < 5; change += 1) {
    api.refresh.inSight()
    await vi.advanceTimersByTimeAsync(500)
  }

  expect(queries.asked.filter((name) => name === 'window')).toHaveLength(5)
  expect(queries.asked.filter((name) => name === 'facets')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(queries.asked.filter((name) => name === 'facets')).toHaveLength(2)
})

test('invalidates queries in a hidden tab without refetching', async () => {
  queries.observe('window', windowKey, { items: [], total: 0 })
  vi.stubGlobal('document', { visibilityState: 'hidden' })

  api.refresh.allSoon()
  await vi.runAllTimersAsync()

  expect(queries.asked).toEqual([])
  expect(api.queryClient.getQueryState(windowKey)?.isInvalidated).toBe(true)
})

test('refetches a list whose first request is active during a change', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('after the change')]
  const queryKey = imageKeys.names(view)
  const queryFn = () => answers.shift() ?? Promise.reject(new Error('asked too often'))
  queries.observeWith({ queryKey, queryFn })

  api.refresh.inSight()
  first.resolve('before the change')
  await vi.runAllTimersAsync()

  expect(api.queryClient.getQueryData(queryKey)).toBe('after the change')
})

test('marks a list stale that a hidden tab loads during a change', async () => {
  const answer = Promise.withResolvers<string>()
  const queryKey = imageKeys.names(view)
  api.queryClient.setQueryData(queryKey, 'before')
  void api.queryClient.prefetchQuery({
    queryKey,
    queryFn: () => answer.promise,
    staleTime: 0,
  })
  vi.stubGlobal('document', { visibilityState: 'hidden' })

  api.refresh.inSight()
  answer.resolve('perhaps before the change')
  await vi.advanceTimersByTimeAsync(0)

  expect(api.queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
