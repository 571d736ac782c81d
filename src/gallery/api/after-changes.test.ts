import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refreshInSight } from './after-changes.ts'
import { queryClient } from './connection.ts'
import { imageKeys } from './image-cache.ts'
import type { ImageView } from './image-windows.ts'

const view: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }

let stops: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  stops = []
})

afterEach(async () => {
  for (const stop of stops) stop()
  await vi.runAllTimersAsync()
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a list whose first answer is on its way when a change comes is asked for again', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('after the change')]
  const queryKey = imageKeys.names(view)
  const queryFn = () => answers.shift() ?? Promise.reject(new Error('asked too often'))
  stops.push(new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {}))

  refreshInSight()
  first.resolve('before the change')
  await vi.runAllTimersAsync()

  expect(queryClient.getQueryData(queryKey)).toBe('after the change')
})

test('a list that a hidden tab is asking for when a change comes is stale when it has come', async () => {
  const answer = Promise.withResolvers<string>()
  const queryKey = imageKeys.names(view)
  queryClient.setQueryData(queryKey, 'before')
  void queryClient.prefetchQuery({ queryKey, queryFn: () => answer.promise, staleTime: 0 })
  vi.stubGlobal('document', { visibilityState: 'hidden' })

  refreshInSight()
  answer.resolve('perhaps before the change')
  await vi.advanceTimersByTimeAsync(0)

  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
