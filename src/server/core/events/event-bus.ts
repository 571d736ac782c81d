import type { ServerEvent } from '#contract/events.ts'
import type { EngineChange } from '#server/core/queue/engine-ports.ts'

/** A message that a process of a library sends to all of its processes, including itself. */
export type BusMessage =
  | { kind: 'event'; event: ServerEvent }
  /** Items were added, or the processors were resumed. */
  | { kind: 'queue_changed' }
  /** These items were canceled or deleted. The process that runs one of them stops it. */
  | { kind: 'items_stopped'; itemIds: readonly number[] }
  /** A user cleared, enabled or disabled the cache of results, or unloaded the models. */
  | { kind: 'engine_changed'; change: EngineChange }

/** Receives each message once, in the order that all processes share. Must not block. */
export type BusListener = (message: BusMessage) => void

/** Connects the processes of a library. A single process has a {@link LocalBus}. */
export interface EventBus {
  /** Never waits and never fails. A message is lost while the bus is away. */
  publish(message: BusMessage): void
  /** Adds a listener. Returns a function that removes it. */
  listen(listener: BusListener): () => void
  /** False while the bus is away, so that messages may be missing. */
  readonly isConnected: boolean
  /** Calls a listener when `isConnected` changes. Returns a function that removes it. */
  onConnection(listener: (isConnected: boolean) => void): () => void
  close(): Promise<void>
}

/** The bus of a single process. It delivers each message before `publish` returns. */
export class LocalBus implements EventBus {
  readonly isConnected = true
  readonly #onFailure: (error: unknown) => void
  readonly #listeners = new Set<BusListener>()

  /** @param onFailure - Called with errors of listeners, which do not affect the sender or the other listeners. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  publish(message: BusMessage): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(message)
      } catch (error) {
        this.#onFailure(error)
      }
    }
  }

  listen(listener: BusListener): () => void {
    const own: BusListener = (message) => listener(message)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  onConnection(): () => void {
    return () => {}
  }

  async close(): Promise<void> {}
}
