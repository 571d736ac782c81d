import type { EventData, EventName, ServerEvent } from '#contract/events.ts'
import type { Clock } from '#server/core/clock.ts'

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

/** What an event carries, but for the time at which it is sent. */
export type News<Name extends EventName> = Omit<EventData<Name>, 'timestamp'>

/**
 * Where core tells what happened. Sending never waits and never fails: who listens, and how fast, is no
 * concern of the one who tells.
 */
export interface EventSink {
  emit<Name extends EventName>(event: Name, news: News<Name>): void
}
