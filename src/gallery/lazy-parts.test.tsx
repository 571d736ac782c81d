import { expect, onTestFinished, test, vi } from 'vitest'
import { preloadLazyParts } from './lazy-parts.ts'

test('loads no lazy parts if the page is closed early', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const cancel = preloadLazyParts()
  expect(vi.getTimerCount()).toBe(1)
  cancel()

  expect(vi.getTimerCount()).toBe(0)
})
