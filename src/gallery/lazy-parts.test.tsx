import { expect, onTestFinished, test, vi } from 'vitest'
import { preloadLazyParts } from './lazy-parts.ts'

test('a page that is closed early loads no lazy parts', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const cancel = preloadLazyParts()
  expect(vi.getTimerCount()).toBe(1)
  cancel()

  expect(vi.getTimerCount()).toBe(0)
})
