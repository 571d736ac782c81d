import type { EventData, EventName, ServerEvent } from '#contract/events.ts'
import type { Clock } from '#server/core/clock.ts'

/** Receives each event once, in order. Must not block. */
export type EventListener = (event: ServerEvent) => void

/** Sends events with their time to all listeners. */
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
    const sent = { event, data: { timestamp, ...news } } as unknown as ServerEvent
    for (const listener of [...this.#listeners]) {
      try {
        listener(sent)
      } catch (error) {
        this.#onFailure(error) // one failing listener must not affect the sender or the others
      }
    }
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: EventListener): () => void {
    const own: EventListener = (event) => listener(event)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }
}

/** Data of an event without its timestamp. */
export type News<Name extends EventName> = Omit<EventData<Name>, 'timestamp'>

/**
 * Receives the events of core. Emitting never waits and never fails, however many listeners there are and however
 * slow they are.
 */
export interface EventSink {
  emit<Name extends EventName>(event: Name, news: News<Name>): void
}
