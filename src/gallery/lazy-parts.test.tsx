import { expect, onTestFinished, test, vi } from 'vitest'
import { Lightbox, preloadLazyParts } from './lazy-parts.ts'

test('loads no lazy parts if the page is closed early', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const cancel = preloadLazyParts()
  expect(vi.getTimerCount()).toBe(1)
  cancel()

  expect(vi.getTimerCount()).toBe(0)
})

test('loads no lazy parts if the page is closed while it waits to be idle', async () => {
  vi.useFakeTimers()
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
  const preload = vi.spyOn(Lightbox, 'preload').mockResolvedValue()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    preload.mockRestore()
  })
  const cancel = preloadLazyParts()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(idle).toHaveLength(1)

  cancel()
  idle[0]?.()
  await vi.advanceTimersByTimeAsync(10_000)

  expect(idle).toHaveLength(1)
  expect(preload).not.toHaveBeenCalled()
})
