import { ConnectionError, isRefused, RefusedError } from '#client/errors.ts'
import type { EventStream } from '#client/events/event-stream.ts'
import type { CallOptions } from '#client/transport/call.ts'
import { anySignal, sleep } from '#client/transport/sleep.ts'
import type { LibraryChanges } from '#contract/server/change-operations.ts'

/** Options of `changes.list`. */
export interface ListChangesOptions extends CallOptions {
  /** The `new_state` of an earlier list. Without it, the list has the current state and no changes. */
  readonly since?: string | undefined
  /** Maximum number of requests whose changes are listed. The default and the maximum are 1000. */
  readonly limit?: number | undefined
  /** Adds `records`, the records of created and updated images. The default is false. */
  readonly includeRecords?: boolean | undefined
  /** Leaves out the changes of clients with this `origin`. */
  readonly exceptOrigin?: string | undefined
}

/** Options of `changes.watch`. */
export interface WatchChangesOptions extends Omit<ListChangesOptions, 'limit'> {
  /** Milliseconds between two requests while the event stream is not open. The default is 2000. */
  readonly pollMs?: number | undefined
}

/** Milliseconds between two requests, so that a busy library does not exhaust the rate limit. */
const GAP_MS = 250

/** Milliseconds between two requests without an event, in case the last event was lost. */
const CHECK_MS = 30_000

type ListChanges = (options: ListChangesOptions) => Promise<LibraryChanges>

/** Yields the changes after `since` as they happen. */
export async function* watchChanges(
  list: ListChanges,
  events: EventStream,
  { since, pollMs = 2_000, ...options }: WatchChangesOptions,
): AsyncGenerator<LibraryChanges, void> {
  const news = new ChangeNews(events, options.exceptOrigin)
  let state = since
  try {
    for (;;) {
      news.forget()
      const found = await changesSince(list, state, options)
      if (found !== null) {
        if (state !== undefined && found.new_state !== state) yield found
        state = found.new_state
        if (found.has_more) continue
      }
      await sleep(GAP_MS, options.signal)
      await news.after(state, { pollMs, isFailed: found === null, signal: options.signal })
    }
  } finally {
    news.stop()
  }
}

/** Returns null if the server is away or busy. */
async function changesSince(
  list: ListChanges,
  since: string | undefined,
  options: Omit<ListChangesOptions, 'since'>,
): Promise<LibraryChanges | null> {
  try {
    return await list({ ...options, since })
  } catch (error) {
    if (since !== undefined && isRefused(error, 'state_unknown')) {
      const current = await changesSince(list, undefined, options)
      return current && { ...current, old_state: since, is_everything_unlisted: true }
    }
    const isAway = error instanceof ConnectionError
    const isBusy = error instanceof RefusedError && (error.status >= 500 || error.status === 429)
    if (isAway || isBusy) return null
    throw error
  }
}

/** Latest state of a watch that may have missed events. No state is empty. */
const UNKNOWN = ''

interface Wait {
  readonly pollMs: number
  /** True if the last request failed. */
  readonly isFailed: boolean
  readonly signal: AbortSignal | undefined
}

/** Waits for news of the library: an event, or a new connection, before which events may have been missed. */
class ChangeNews {
  readonly #events: EventStream
  readonly #exceptOrigin: string | undefined
  /** The state of the last event. null: there was none. */
  #latest: string | null = null
  #wake = () => {}
  #stop: (() => void) | null = null

  constructor(events: EventStream, exceptOrigin: string | undefined) {
    this.#events = events
    this.#exceptOrigin = exceptOrigin
  }

  forget(): void {
    this.#latest = null
  }

  /** Waits for a state other than this one, at most `pollMs` after a failure or without an open connection. */
  async after(state: string | undefined, { pollMs, isFailed, signal }: Wait): Promise<void> {
    this.#stop ??= this.#listen()
    const startedAt = performance.now()
    while (this.#latest === null || this.#latest === state) {
      const isOpen = !isFailed && this.#events.getState().phase === 'open'
      const waitMs = startedAt + (isOpen ? CHECK_MS : pollMs) - performance.now()
      if (waitMs <= 0) return
      const woken = new AbortController()
      this.#wake = () => woken.abort()
      await sleep(waitMs, anySignal([signal, woken.signal], undefined)).catch(() => {})
      signal?.throwIfAborted()
    }
  }

  stop(): void {
    this.#stop?.()
  }

  #listen(): () => void {
    const stopStates = this.#events.onState(({ phase }) => {
      // `closed` means that the client was closed. The next request throws.
      if (phase === 'open' || phase === 'closed') this.#note(UNKNOWN)
      else this.#wake()
    })
    // Other listeners may have opened the connection, and earlier events were not heard.
    if (this.#events.getState().phase === 'open') this.#note(UNKNOWN)
    const stopEvents = this.#listenIfPossible()
    return () => {
      stopStates()
      stopEvents()
    }
  }

  /** Without WebSockets there are only the regular requests. */
  #listenIfPossible(): () => void {
    try {
      return this.#events.listen(({ event, data }) => {
        if (event !== 'library_changed') return
        const isLeftOut = data.origin !== null && data.origin === this.#exceptOrigin
        if (!isLeftOut) this.#note(data.state)
      })
    } catch {
      return () => {}
    }
  }

  #note(state: string): void {
    this.#latest = state
    this.#wake()
  }
}
