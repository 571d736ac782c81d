import type { EventName, ServerEvent } from '#contract/events.ts'
import type { Clock } from '#server/core/clock.ts'
import type { EventSink, News } from './events.ts'

/** Is told of each event once, in the order in which they happened. It must not wait. */
export type EventListener = (event: ServerEvent) => void

/** Hands what happened to whoever listens, with the time at which it did (design 5). */
export class EventHub implements EventSink {
  readonly #clock: Clock
  readonly #onFailure: (error: unknown) => void
  readonly #listeners = new Set<EventListener>()

  constructor(parts: { clock: Clock; onFailure: (error: unknown) => void }) {
    this.#clock = parts.clock
    this.#onFailure = parts.onFailure
  }

  emit<Name extends EventName>(event: Name, news: News<Name>): void {
    const timestamp = Math.floor(this.#clock() / 1000)
    const told = { event, data: { timestamp, ...news } } as unknown as ServerEvent
    for (const listener of [...this.#listeners]) {
      try {
        listener(told)
      } catch (error) {
        this.#onFailure(error) // whoever tells, and whoever else listens, has no part in it
      }
    }
  }

  /** @returns What ends it. */
  listen(listener: EventListener): () => void {
    const own: EventListener = (event) => listener(event)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }
}
