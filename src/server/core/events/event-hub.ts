import type { EventData, EventName, ServerEvent } from '#contract/events.ts'
import type { Clock } from '#server/core/clock.ts'

/** Receives each event once, in order. Must not block. */
export type EventListener = (event: ServerEvent) => void

interface HubParts {
  clock: Clock
  onFailure: (error: unknown) => void
}

/** Sends events with their time to all listeners. */
export class EventHub {
  readonly #parts: HubParts
  readonly #listeners = new Set<EventListener>()

  constructor(parts: HubParts) {
    this.#parts = parts
  }

  /** Never waits and never fails, however many listeners there are. */
  emit<Name extends EventName>(event: Name, news: News<Name>): void {
    const timestamp = Math.floor(this.#parts.clock() / 1000)
    const sent = { event, data: { timestamp, ...news } } as unknown as ServerEvent
    for (const listener of [...this.#listeners]) {
      try {
        listener(sent)
      } catch (error) {
        this.#parts.onFailure(error) // one failing listener must not affect the sender or the others
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

/** The client of a socket for events. */
export interface EventClient {
  /** The normalized IP address, which the limits count. */
  address: string
  /** Name given by the client; null: it is identified by its address. */
  clientId: string | null
}

/** Data of an event without its timestamp. */
export type News<Name extends EventName> = Omit<EventData<Name>, 'timestamp'>

/** Receives the events of core. */
export type EventSink = Pick<EventHub, 'emit'>
