import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'

const api = testGalleryApi()

const view: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }
const windowKey = imageKeys.window(view, 0)

let asked: string[]
let stops: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  asked = []
  stops = []
})

afterEach(async () => {
  for (const stop of stops) stop()
  await vi.runAllTimersAsync()
  api.queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Observes a query as a component does. Its first answer is cached. */
function observe(name: string, queryKey: readonly unknown[], answer: unknown): void {
  api.queryClient.setQueryData(queryKey, answer)
  const queryFn = () => {
    asked.push(name)
    return answer
  }
  const options = { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }
  stops.push(new QueryObserver(api.queryClient, options).subscribe(() => {}))
}

test('refetches views and boards now and then after messages of other tabs', async () => {
  observe('window', windowKey, { items: [], total: 0 })
  observe('boards', boardKeys.list(), [])

  for (let message = 0; message < 6; message += 1) {
    api.refresh.allSoon()
    await vi.advanceTimersByTimeAsync(300)
  }

  expect(asked.filter((name) => name === 'window')).toHaveLength(4)
  expect(asked.filter((name) => name === 'boards')).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked.filter((name) => name === 'window')).toHaveLength(5)
})

test('invalidates queries in a hidden tab without refetching', async () => {
  observe('window', windowKey, { items: [], total: 0 })
  vi.stubGlobal('document', { visibilityState: 'hidden' })

  api.refresh.allSoon()
  await vi.runAllTimersAsync()

  expect(asked).toEqual([])
  expect(api.queryClient.getQueryState(windowKey)?.isInvalidated).toBe(true)
})

test('refetches a list whose first request is active during a change', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('after the change')]
  const queryKey = imageKeys.names(view)
  const queryFn = () => answers.shift() ?? Promise.reject(new Error('asked too often'))
  stops.push(new QueryObserver(api.queryClient, { queryKey, queryFn }).subscribe(() => {}))

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
