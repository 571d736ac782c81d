import { configure } from '@testing-library/dom'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

configure({
  // The server runs on the same cores.
  asyncUtilTimeout: 30_000,
  // Omits the whole document, which is thousands of lines.
  getElementError: (message) => new Error(message ?? 'Nothing was found.'),
})

afterEach(() => {
  cleanup()
  // Elements that a test adds itself, such as the grid of `attachedGrid`. Test files share the window.
  document.body.replaceChildren()
})
