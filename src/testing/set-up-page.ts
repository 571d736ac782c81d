import { resetAnimationFrameScheduler } from '@base-ui/utils/useAnimationFrame'
import { configure } from '@testing-library/dom'
import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

configure({
  // The server runs on the same cores.
  asyncUtilTimeout: 30_000,
  // Omits the whole document, which is thousands of lines.
  getElementError: (message) => new Error(message ?? 'Nothing was found.'),
})

afterEach(() => {
  cleanup()
  // Base UI waits for one frame at a time. If a test has replaced that frame, no menu of a later test would open.
  resetAnimationFrameScheduler()
  // Elements that a test adds itself, such as the grid of `attachedGrid`. Test files share the window.
  document.body.replaceChildren()
})

// The next test file of this process needs the functions that a test replaced.
afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
