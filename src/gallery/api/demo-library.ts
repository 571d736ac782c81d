import { createStore } from 'zustand'
import type { TesseraClient } from '#client/index.ts'
import type { OtherTabs } from '#gallery/api/connection/other-tabs.ts'
import { useSource } from './listeners.ts'
import { usePart } from './parts.ts'
import { reasonOf } from './reason-of.ts'
import type { Refresh } from './refresh.ts'

export type DemoState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'drawing'; readonly done: number; readonly total: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** Images in the demo library: enough to scroll, drawn in less than a minute. */
const IMAGE_COUNT = 120

/** The page refetches after the first image and then after this many. Each refetch counts in the rate limits. */
const SHOW_EVERY = 24

interface DemoApi {
  readonly client: Pick<TesseraClient, 'server'>
  readonly refresh: Pick<Refresh, 'all'>
  readonly tabs: Pick<OtherTabs, 'notify'>
}

/** Fills an empty library with demo images. Requires the extension `demo_library`. */
export class DemoLibrary {
  readonly #api: DemoApi
  readonly state = createStore<DemoState>(() => ({ kind: 'idle' }))
  #abort = new AbortController()

  constructor(api: DemoApi) {
    this.#api = api
  }

  /** Stops drawing. Finished images stay. */
  readonly stop = (): void => this.#abort.abort()

  /** Lets the server draw a demo library and shows it meanwhile. Requires the extension `demo_library`. */
  async fill(): Promise<void> {
    this.#abort = new AbortController()
    const { signal } = this.#abort
    this.#show({ kind: 'drawing', done: 0, total: IMAGE_COUNT })
    try {
      for await (const { done, total } of this.#api.client.server.fillDemoLibrary({
        imageCount: IMAGE_COUNT,
        signal,
      })) {
        this.#show({ kind: 'drawing', done, total })
        if (done === 1 || done % SHOW_EVERY === 0) this.#api.refresh.all()
      }
      this.#show({ kind: 'idle' })
    } catch (error) {
      this.#show(signal.aborted ? { kind: 'idle' } : { kind: 'failed', reason: reasonOf(error) })
    }
    this.#api.refresh.all()
    this.#api.tabs.notify()
  }

  readonly #show = (state: DemoState): void => this.state.setState(state, true)
}

export const useDemoState = (): DemoState => useSource(usePart(DemoLibrary).state)
