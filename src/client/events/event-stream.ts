import type { ServerEvent } from '#contract/events.ts'
import { type EventClock, systemClock } from './event-clock.ts'
import type { ConnectionEnd, OpenConnection } from './event-connection.ts'

/**
 * How the stream stands. Times are milliseconds of its clock.
 *
 * - `closed`: nobody listens.
 * - `connecting`: `lostSince` tells since when there is no line; null where there was none yet.
 * - `lost`: it tries again at `retryAt`.
 * - `replaced`: the same client listens elsewhere. Only `retryNow` takes it back.
 */
export type EventStreamState =
  | { readonly phase: 'closed' | 'open' | 'replaced' }
  | { readonly phase: 'connecting'; readonly lostSince: number | null }
  | { readonly phase: 'lost'; readonly lostSince: number; readonly retryAt: number }

/** What a stream waits by. */
export interface EventStreamTiming {
  readonly clock?: EventClock | undefined
  /** Between 0 and 1. */
  readonly random?: (() => number) | undefined
}

/** How long connecting may take. */
const CONNECT_MS = 20_000

/** How often an open line is tried: one that is cut without a word is noticed within three seconds. */
const PROBE_MS = 900

/** A line that held for so long starts the waits from the shortest again. */
const STABLE_MS = 10_000

/**
 * What happens on a server, as it happens (spec 6). One stream for both kinds of server: frames of `/ws`
 * from a Tessera, Socket.IO from an InvokeAI. It connects when somebody listens, comes back by itself
 * when the line is lost, and ends with the last listener.
 *
 * Events are news and no record: what happened while there was no line is not told afterwards, and an
 * event may come twice. Whoever shows state asks for it when the phase becomes `open`.
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
  readonly #clock: EventClock
  readonly #random: () => number
  readonly #listeners = new Set<(event: ServerEvent) => void>()
  readonly #stateListeners = new Set<(state: EventStreamState) => void>()
  #state: EventStreamState = { phase: 'closed' }
  /** Ends the line or the wait that there is. */
  #current = new AbortController()
  #lostSince: number | null = null
  #failures = 0
  #probe = () => {}

  constructor(openLine: OpenConnection, { clock, random }: EventStreamTiming = {}) {
    this.#openConnection = openLine
    this.#clock = clock ?? systemClock
    this.#random = random ?? Math.random
  }

  /** How it stands. The same object until it changes. */
  getState(): EventStreamState {
    return this.#state
  }

  /** Tells each change of the state. @returns What ends it. */
  onState(listener: (state: EventStreamState) => void): () => void {
    const own = (state: EventStreamState) => listener(state)
    this.#stateListeners.add(own)
    return () => void this.#stateListeners.delete(own)
  }

  /** Tells each event. The first listener opens the line. @returns What ends it; the last one closes the line. */
  listen(onEvent: (event: ServerEvent) => void): () => void {
    const own = (event: ServerEvent) => onEvent(event)
    this.#listeners.add(own)
    if (this.#state.phase === 'closed') this.#connect()
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#close()
    }
  }

  /**
   * Connects at once rather than at `retryAt`: for when a browser is online or visible again, or a
   * person asks for it. After `replaced` it takes the line back. An open line is tried: it may have
   * been cut while the machine slept.
   */
  retryNow(): void {
    if (this.#state.phase === 'lost' || this.#state.phase === 'replaced') this.#connect()
    else this.#probe()
  }

  #connect(): void {
    const { signal } = this.#startAttempt()
    let openedAt: number | null = null
    const end = (why: ConnectionEnd, silentMs = 0) => {
      if (signal.aborted) return
      const isSteady = openedAt !== null && this.#clock.now() - openedAt >= STABLE_MS
      if (isSteady) this.#failures = 0
      if (why === 'replaced') this.#replaced()
      else this.#lost(silentMs)
    }
    const stopWaiting = this.#clock.after(CONNECT_MS, () => end('lost'))
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
    this.#openConnection({ onOpen, onEvent, onEnd: end }, signal).catch(() => end('lost'))
  }

  #probeLater(signal: AbortSignal): void {
    const stop = this.#clock.after(PROBE_MS, () => {
      signal.removeEventListener('abort', stop)
      this.#probe()
      this.#probeLater(signal)
    })
    signal.addEventListener('abort', stop)
  }

  #lost(silentMs: number): void {
    const { signal } = this.#startAttempt()
    const now = this.#clock.now()
    this.#lostSince ??= now - silentMs
    const waitMs = retryDelayMs(this.#failures, this.#random())
    this.#failures += 1
    signal.addEventListener(
      'abort',
      this.#clock.after(waitMs, () => this.#connect()),
    )
    this.#setState({ phase: 'lost', lostSince: this.#lostSince, retryAt: now + waitMs })
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

  /** Ends what there is: nothing of it is heard any more. */
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

/** A listener that throws keeps nobody else from hearing, and its error is not swallowed. */
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

/** The first wait, and the longest, in milliseconds. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * How long to wait before connecting again: each time twice as long, and never two clients in step,
 * since a server that starts again is met by all of them.
 *
 * @param failures - How many attempts in a row came to nothing, from 0.
 * @param random - Between 0 and 1.
 */
function retryDelayMs(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}
