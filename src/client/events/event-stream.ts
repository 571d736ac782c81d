import { GalleryError } from '#client/errors.ts'
import { backoffMs } from '#contract/backoff.ts'
import type { ServerEvent } from '#contract/events.ts'
import { type EventClock, systemClock } from './event-clock.ts'
import type { ConnectionEnd, ConnectionLoss, OpenConnection } from './event-connection.ts'

/**
 * State of the event stream. Times are milliseconds of its clock.
 *
 * - `closed`: there are no listeners.
 * - `connecting`: `lostSince` is the time of the connection loss; null for the first connection.
 * - `lost`: the stream reconnects at `retryAt`. `cause` is the error that ended the connection or the attempt.
 * - `replaced`: the same client connected elsewhere. Only `retryNow` reconnects.
 */
export type EventStreamState =
  | { readonly phase: 'closed' | 'open' | 'replaced' }
  | { readonly phase: 'connecting'; readonly lostSince: number | null }
  | {
      readonly phase: 'lost'
      readonly lostSince: number
      readonly retryAt: number
      readonly cause?: unknown
    }

/** Removes its listener when it is called, or at the end of the block of a `using` declaration. */
export type StopListening = (() => void) & { [Symbol.dispose](): void }

const stopListening = (stop: () => void): StopListening =>
  Object.assign(() => stop(), { [Symbol.dispose]: stop })

/** Timing of an event stream. Tests pass fakes. */
export interface EventStreamTiming {
  /** The default is the platform's clock and timers. */
  readonly clock?: EventClock | undefined
  /** Returns a number between 0 and 1. The default is `Math.random`. */
  readonly random?: (() => number) | undefined
}

/** Timeout for a connection attempt, in milliseconds. */
const CONNECT_MS = 20_000

/** Milliseconds between probes of an open connection. A silent cut is detected within three seconds. */
const PROBE_MS = 900

/** A connection that was open this long, in milliseconds, resets the retry delay. */
const STABLE_MS = 10_000

const reconnectBackoff = { firstMs: 500, longestMs: 30_000 }

/**
 * Live events of a server. The stream is the same for both kinds of servers: WebSocket frames of a Tessera,
 * Socket.IO of an InvokeAI. It connects when the first listener is added, reconnects after a connection loss,
 * and closes with the last listener.
 *
 * Events are not a log. Events during a connection loss are not repeated, and an event may arrive twice.
 * Applications that show state should read it again when the phase becomes `open`.
 *
 * @example
 * const { events } = connect({ baseUrl: 'http://127.0.0.1:9091' })
 * const stop = events.listen(({ event, data }) => {
 *   if (event === 'invocation_progress') console.log(data.message, data.percentage)
 *   if (event === 'session_complete') stop()
 * })
 * events.onState((state) => console.log(state.phase))
 */
export class EventStream {
  readonly #openConnection: OpenConnection
  readonly #assertCanConnect: () => void
  readonly #clock: EventClock
  readonly #random: () => number
  readonly #listeners = new Set<(event: ServerEvent) => void>()
  readonly #stateListeners = new Set<(state: EventStreamState) => void>()
  #state: EventStreamState = { phase: 'closed' }
  /** Aborts the current connection or retry delay. */
  #current = new AbortController()
  #lostSince: number | null = null
  #failures = 0
  #probe = () => {}

  /** @internal */
  constructor(
    openConnection: OpenConnection,
    { clock, random }: EventStreamTiming = {},
    assertCanConnect = () => {},
  ) {
    this.#openConnection = openConnection
    this.#assertCanConnect = assertCanConnect
    this.#clock = clock ?? systemClock
    this.#random = random ?? Math.random
  }

  /** Returns the current state. The object is stable until the state changes. */
  getState(): EventStreamState {
    return this.#state
  }

  /** Calls `listener` at every change of the state. Returns a function that removes it. */
  onState(listener: (state: EventStreamState) => void): StopListening {
    const own = (state: EventStreamState) => listener(state)
    this.#stateListeners.add(own)
    return stopListening(() => void this.#stateListeners.delete(own))
  }

  /**
   * Calls `onEvent` for each event. The first listener opens the connection.
   *
   * @returns Removes the listener. Removing the last one closes the connection.
   * @throws {GalleryError} This platform has no WebSocket, and none was passed to `connect`.
   */
  listen(onEvent: (event: ServerEvent) => void): StopListening {
    this.#assertCanConnect()
    const own = (event: ServerEvent) => onEvent(event)
    this.#listeners.add(own)
    if (this.#state.phase === 'closed') this.#connect()
    return stopListening(() => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#close()
    })
  }

  /** Removes all listeners and closes the connection. */
  close(): void {
    this.#listeners.clear()
    if (this.#state.phase !== 'closed') this.#close()
  }

  /**
   * Reconnects immediately instead of at `retryAt`. Call it when a browser becomes online or visible, or on a
   * user action. After `replaced` it takes the connection back. It probes an open connection, which may have
   * been cut while the machine slept.
   */
  retryNow(): void {
    if (this.#state.phase === 'lost' || this.#state.phase === 'replaced') this.#connect()
    else this.#probe()
  }

  #connect(): void {
    const { signal } = this.#startAttempt()
    let openedAt: number | null = null
    const end = (why: ConnectionEnd, loss: ConnectionLoss = {}) => {
      if (signal.aborted) return
      const isSteady = openedAt !== null && this.#clock.now() - openedAt >= STABLE_MS
      if (isSteady) this.#failures = 0
      if (why === 'replaced') this.#replaced()
      else this.#lost(loss)
    }
    const stopWaiting = this.#clock.after(CONNECT_MS, () => {
      const cause = new GalleryError(`The server did not open the connection in ${CONNECT_MS} ms`)
      end('lost', { cause })
    })
    signal.addEventListener('abort', stopWaiting)
    this.#setState({ phase: 'connecting', lostSince: this.#lostSince })
    const onOpen = (probe = () => {}) => {
      if (signal.aborted) return
      stopWaiting()
      openedAt = this.#clock.now()
      this.#lostSince = null
      this.#probe = probe
      this.#probeLater(signal)
      this.#setState({ phase: 'open' })
    }
    const onEvent = (event: ServerEvent) => {
      if (!signal.aborted) notifyAll(this.#listeners, event)
    }
    this.#openConnection({ onOpen, onEvent, onEnd: end }, signal).catch((cause: unknown) =>
      end('lost', { cause }),
    )
  }

  #probeLater(signal: AbortSignal): void {
    const stop = this.#clock.after(PROBE_MS, () => {
      signal.removeEventListener('abort', stop)
      this.#probe()
      this.#probeLater(signal)
    })
    signal.addEventListener('abort', stop)
  }

  #lost({ cause, silentMs = 0 }: ConnectionLoss): void {
    const { signal } = this.#startAttempt()
    const now = this.#clock.now()
    this.#lostSince ??= now - silentMs
    const waitMs = backoffMs(reconnectBackoff, this.#failures, this.#random())
    this.#failures += 1
    signal.addEventListener(
      'abort',
      this.#clock.after(waitMs, () => this.#connect()),
    )
    const retryAt = now + waitMs
    this.#setState({
      phase: 'lost',
      lostSince: this.#lostSince,
      retryAt,
      ...(cause !== undefined && { cause }),
    })
  }

  #replaced(): void {
    this.#startAttempt()
    this.#lostSince = this.#clock.now()
    this.#setState({ phase: 'replaced' })
  }

  #close(): void {
    this.#startAttempt()
    this.#lostSince = null
    this.#failures = 0
    this.#setState({ phase: 'closed' })
  }

  /** Aborts the current attempt, whose events are then ignored, and starts a new one. */
  #startAttempt(): AbortController {
    this.#current.abort()
    this.#current = new AbortController()
    this.#probe = () => {}
    return this.#current
  }

  #setState(state: EventStreamState): void {
    this.#state = state
    notifyAll(this.#stateListeners, state)
  }
}

/** Calls all listeners. Rethrows their errors asynchronously, so that the other listeners are called. */
function notifyAll<T>(listeners: ReadonlySet<(value: T) => void>, value: T): void {
  for (const listener of [...listeners]) {
    try {
      listener(value)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}
