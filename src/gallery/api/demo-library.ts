import { create } from 'zustand'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { refreshAll } from './after-changes.ts'
import { reasonOf } from './reason-of.ts'

/** The progress of the demo library. */
export type DemoState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'drawing'; readonly done: number; readonly total: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** Images in the demo library: enough to scroll, drawn in less than a minute. */
const IMAGE_COUNT = 120

/** The page refetches after the first image and then after this many. Each refetch counts in the rate limits. */
const SHOW_EVERY = 24

const useDemoStore = create<{ state: DemoState }>(() => ({ state: { kind: 'idle' } }))

let abort = new AbortController()

export const useDemoState = (): DemoState => useDemoStore(({ state }) => state)

/** Stops drawing. Finished images stay. */
export const stopDemoLibrary = (): void => abort.abort()

/** Lets the server draw a demo library and shows it meanwhile. Requires the extension `demo_library`. */
export async function fillDemoLibrary(): Promise<void> {
  abort = new AbortController()
  const { signal } = abort
  show({ kind: 'drawing', done: 0, total: IMAGE_COUNT })
  try {
    for await (const { done, total } of theGallery.client.server.fillDemoLibrary({
      imageCount: IMAGE_COUNT,
      signal,
    })) {
      show({ kind: 'drawing', done, total })
      if (done === 1 || done % SHOW_EVERY === 0) refreshAll()
    }
    show({ kind: 'idle' })
  } catch (error) {
    show(signal.aborted ? { kind: 'idle' } : { kind: 'failed', reason: reasonOf(error) })
  }
  refreshAll()
  theGallery.tabs.notify()
}

const show = (state: DemoState): void => useDemoStore.setState({ state })
