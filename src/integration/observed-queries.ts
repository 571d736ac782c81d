import { type QueryKey, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, vi } from 'vitest'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'

/** Observes queries of a visible page, with fake timers, and lists those that are asked again. */
export class ObservedQueries {
  /** The names of the queries in the order of their requests. */
  asked: string[] = []
  readonly #api: GalleryApi
  #stops: (() => void)[] = []

  constructor(api: GalleryApi) {
    this.#api = api
    beforeEach(() => {
      vi.useFakeTimers()
      vi.stubGlobal('document', { visibilityState: 'visible' })
    })
    afterEach(() => this.#end())
  }

  /** Observes a query as a component does. Its first answer is cached, and later ones repeat the cached data. */
  observe(name: string, queryKey: QueryKey, answer: unknown): void {
    const { queryClient } = this.#api
    queryClient.setQueryData(queryKey, answer)
    const queryFn = () => {
      this.asked.push(name)
      return queryClient.getQueryData(queryKey)
    }
    this.observeWith({ queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY })
  }

  observeWith(options: ConstructorParameters<typeof QueryObserver>[1]): void {
    this.#stops.push(new QueryObserver(this.#api.queryClient, options).subscribe(() => {}))
  }

  async #end(): Promise<void> {
    for (const stop of this.#stops) stop()
    await vi.runAllTimersAsync()
    this.#api.queryClient.clear()
    this.#stops = []
    this.asked = []
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
}
