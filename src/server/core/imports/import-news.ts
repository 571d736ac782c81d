import type { EventSink } from '#server/core/events/event-hub.ts'

/** The time between progress and its event, which reports all progress until then, in milliseconds. */
const GATHER_MS = 500

/** Sends `imports_changed`, so that clients read the imports again. */
export class ImportNews {
  readonly #events: EventSink | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param events - Undefined if no client listens, as in a command. */
  constructor(events: EventSink | undefined) {
    this.#events = events
  }

  /** Reports a new, changed or removed import at once. */
  reportState(): void {
    this.close()
    this.#events?.emit('imports_changed', {})
  }

  /** Reports counts soon. */
  reportProgress(): void {
    if (this.#events === undefined) return
    this.#timer ??= setTimeout(() => this.reportState(), GATHER_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
