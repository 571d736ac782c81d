import type { EventData, EventName, ServerEvent } from '#contract/events.ts'
import type { Clock } from '#server/core/clock.ts'
import type { EventBus } from './event-bus.ts'

/** Receives each event once, in order. Must not block. */
export type EventListener = (event: ServerEvent) => void

interface HubParts {
  clock: Clock
  bus: EventBus
}

/** Stopped items whose late events are recognized. More than can be running at the time. */
const MAX_STOPPED = 10_000

/** Sends events with their time to the listeners of all processes. */
export class EventHub {
  readonly #parts: HubParts
  readonly #stopped = new Set<number>()

  constructor(parts: HubParts) {
    this.#parts = parts
    // Before all other listeners, so that they get no late event.
    parts.bus.listen((message) => {
      if (message.kind === 'items_stopped') this.#noteStopped(message.itemIds)
    })
  }

  /** Never waits and never fails, however many listeners there are. */
  emit<Name extends EventName>(event: Name, news: News<Name>): void {
    const timestamp = Math.floor(this.#parts.clock() / 1000)
    const sent = { event, data: { timestamp, ...news } } as unknown as ServerEvent
    this.#parts.bus.publish({ kind: 'event', event: sent })
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: EventListener): () => void {
    return this.#parts.bus.listen((message) => {
      if (message.kind === 'event' && !this.#isLate(message.event)) listener(message.event)
    })
  }

  /** False while events of other processes may be missing. */
  get isConnected(): boolean {
    return this.#parts.bus.isConnected
  }

  /** Calls a listener when `isConnected` changes. Returns a function that removes it. */
  onConnection(listener: (isConnected: boolean) => void): () => void {
    return this.#parts.bus.onConnection(listener)
  }

  #noteStopped(itemIds: readonly number[]): void {
    for (const itemId of itemIds) this.#stopped.add(itemId)
    for (const oldest of this.#stopped) {
      if (this.#stopped.size <= MAX_STOPPED) return
      this.#stopped.delete(oldest)
    }
  }

  /**
   * True for an event of a running item that another process has stopped. The process that runs it learns of that
   * only after it has sent the event, and no event may follow the final status.
   */
  #isLate({ event, data }: ServerEvent): boolean {
    if (event === 'queue_item_status_changed')
      return data.status === 'in_progress' && this.#stopped.has(data.item_id)
    return event.startsWith('invocation_') && 'item_id' in data && this.#stopped.has(data.item_id)
  }
}

/** The client of a socket for events. */
export interface EventClient {
  /** The normalized IP address, which the limits count. */
  address: string
  /** Name given by the client; null: it is identified by its address. */
  clientId: string | null
  /** True if the client asked for `library_changed`, `imports_changed` and `searches_changed`. */
  hasChanges?: boolean
}

const ASKED_FOR: ReadonlySet<EventName> = new Set([
  'library_changed',
  'imports_changed',
  'searches_changed',
])

/**
 * True if a client may receive an event. Every event passes here before it is sent. The clients of the specification
 * and of InvokeAI get only the events that they know.
 */
export const isReceiver = ({ hasChanges = false }: EventClient, { event }: ServerEvent): boolean =>
  hasChanges || !ASKED_FOR.has(event)

/** Data of an event without its timestamp. */
export type News<Name extends EventName> = Omit<EventData<Name>, 'timestamp'>

/** Receives the events of core. */
export type EventSink = Pick<EventHub, 'emit'>
