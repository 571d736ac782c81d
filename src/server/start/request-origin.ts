import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChangeOrigin } from '#server/core/changes/change-ports.ts'

/** The origin of the request whose work runs now. */
export class RequestOrigin implements ChangeOrigin {
  readonly #running = new AsyncLocalStorage<{ origin: string | null }>()

  current(): string | null {
    return this.#running.getStore()?.origin ?? null
  }

  /** Work that goes on after `work` has ended, such as an import that a request started, has no origin. */
  async run<Result>(origin: string | null, work: () => Promise<Result>): Promise<Result> {
    const request = { origin }
    try {
      return await this.#running.run(request, work)
    } finally {
      request.origin = null
    }
  }
}
