import { GlobalWindow } from 'happy-dom'
import { type Environment, populateGlobal } from 'vitest/runtime'

/**
 * Globals of Node that happy-dom must not replace, so that the server and the client library of a test work
 * as everywhere else.
 */
const OF_NODE = ['Blob', 'DOMException', 'File', 'FormData'] as const

const WIDTH_PX = 1280
const HEIGHT_PX = 800

/**
 * A window for component tests: happy-dom, which has no layout. Every element has the size of the window,
 * which is enough for the virtual grid to render its first rows.
 */
export default {
  name: 'page',
  // With `client`, Vite would rewrite the URLs of files from which tests start processes.
  viteEnvironment: 'ssr',
  setup(global) {
    const before = OF_NODE.map(
      (name) => [name, Object.getOwnPropertyDescriptor(global, name)] as const,
    )
    const window = new GlobalWindow({
      url: 'http://localhost/',
      width: WIDTH_PX,
      height: HEIGHT_PX,
      console: global.console,
      settings: { disableErrorCapturing: true },
    })
    const { keys, originals } = populateGlobal(global, window, { bindFunctions: true })
    for (const [name, descriptor] of before) {
      if (descriptor !== undefined) Object.defineProperty(global, name, descriptor)
    }
    const { prototype } = window.HTMLElement
    for (const name of ['clientWidth', 'offsetWidth']) {
      Object.defineProperty(prototype, name, { configurable: true, get: () => WIDTH_PX })
    }
    for (const name of ['clientHeight', 'offsetHeight']) {
      Object.defineProperty(prototype, name, { configurable: true, get: () => HEIGHT_PX })
    }
    return {
      async teardown() {
        await window.happyDOM.abort()
        for (const key of keys) Reflect.deleteProperty(global, key)
        for (const [key, descriptor] of originals) Object.defineProperty(global, key, descriptor)
      },
    }
  },
} satisfies Environment
