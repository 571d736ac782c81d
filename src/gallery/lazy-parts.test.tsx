import { expect, onTestFinished, test, vi } from 'vitest'
import { Lightbox, preloadLazyParts } from './lazy-parts.ts'
import { preloadTooltip } from './ui/popups/tooltip.tsx'

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

test('loads no lazy part while the user scrolls', async () => {
  // The part before it takes no time then.
  await preloadTooltip()
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
  // It does not end, so that no other part follows.
  const preload = vi.spyOn(Lightbox, 'preload').mockReturnValue(new Promise(() => {}))
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    preload.mockRestore()
  })
  onTestFinished(preloadLazyParts())
  vi.advanceTimersByTime(4_000)
  const scroll = () => document.body.dispatchEvent(new Event('scroll'))
  for (let frame = 0; frame < 50; frame += 1) {
    scroll()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(preload).not.toHaveBeenCalled()

  await vi.waitFor(() => expect(preload).toHaveBeenCalledOnce())
})
