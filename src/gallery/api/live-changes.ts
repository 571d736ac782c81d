import { isRefused } from '#client/errors.ts'
import type { LibraryChanges, TesseraClient } from '#client/index.ts'
import type { EventData } from '#contract/events.ts'
import type { ServerEvents } from '#gallery/api/connection/server-events.ts'
import { type Clock, Timer, throttled } from './clock.ts'
import type { OthersChanges } from './others-changes.ts'
import type { Refresh } from './refresh.ts'

/** The average time between two questions while changes go on, in milliseconds. */
const ASK_GAP_MS = 650

/** The number of questions that can be asked at once after a pause. */
const ASK_BURST = 4

/** The time between two questions while the event stream is not open, in milliseconds. */
const POLL_MS = 5_000

/** The number of answers with more changes after which the page reads all that it shows instead. */
const MAX_PARTS = 3

interface LiveApi {
  readonly client: Pick<TesseraClient, 'changes' | 'server'>
  readonly clock: Clock
  readonly origin: string
  readonly events: Pick<ServerEvents, 'on' | 'onConnected' | 'stream'>
  readonly refresh: Pick<Refresh, 'all'>
  readonly others: Pick<OthersChanges, 'show'>
}

/**
 * Shows the changes of other tabs, people, devices and programs. The page has a state of the library, and asks for the
 * changes since then. Own changes have their own path: the page shows them before the server confirms them.
 */
export class LiveChanges {
  readonly #api: LiveApi
  readonly #askSoon: () => void
  readonly #poll: Timer
  /** The state of the library that the page shows. null: it is not known yet. */
  #state: string | null = null
  /** True once the server is known to list changes. */
  #isOn = false
  #isAsking = false
  /** True if something may have changed since the last question. */
  #isBehind = false
  /** True if the page must read everything again, because it cannot learn what changed. */
  #mustReadAll = false

  constructor(api: LiveApi) {
    this.#api = api
    this.#poll = new Timer(api.clock)
    this.#askSoon = throttled(api.clock, () => void this.#ask(), {
      gapMs: ASK_GAP_MS,
      burst: ASK_BURST,
    })
  }

  /** Begins to follow the changes of a server that lists them. */
  async start(signal: AbortSignal): Promise<void> {
    const { client, events } = this.#api
    const isListed = await client.server.has('changes').catch(() => false)
    if (!isListed || signal.aborted) return
    this.#isOn = true
    events.on('library_changed', (change) => this.#hear(change))
    events.onConnected(() => this.#fallBehind())
    document.addEventListener('visibilitychange', () => this.#catchUp(), { signal })
    signal.addEventListener('abort', () => this.#poll.stop())
    this.#fallBehind()
    this.#pollLater()
  }

  /** True if the server tells the page of the changes of other tabs and of others. */
  get isOn(): boolean {
    return this.#isOn
  }

  #hear({ since, state, origin }: EventData<'library_changed'>): void {
    if (state === this.#state) return
    // The page has shown its own changes already.
    if (origin === this.#api.origin && since === this.#state && !this.#isAsking) this.#state = state
    else this.#fallBehind()
  }

  #fallBehind(): void {
    this.#isBehind = true
    this.#catchUp()
  }

  /** A hidden tab asks nothing until it is seen. */
  #catchUp(): void {
    if (this.#isBehind && document.visibilityState !== 'hidden') this.#askSoon()
  }

  #pollLater(): void {
    this.#poll.start(POLL_MS, () => {
      const isOpen = this.#api.events.stream.getState().state.phase === 'open'
      if (!isOpen || this.#isBehind) this.#fallBehind()
      this.#pollLater()
    })
  }

  async #ask(): Promise<void> {
    // A question that waited for its turn may come due after the tab was hidden.
    if (this.#isAsking || document.visibilityState === 'hidden') return
    this.#isAsking = true
    this.#isBehind = false
    const hasAnswer = await this.#showChanges().then(
      () => true,
      () => false,
    )
    this.#isAsking = false
    if (hasAnswer) this.#catchUp()
    // The next event, connect or poll asks again.
    else this.#isBehind = true
  }

  async #showChanges(): Promise<void> {
    for (let parts = 0; this.#state !== null; parts++) {
      const found = await this.#changesSince(this.#state)
      const isTooMuch = found === null || (found.has_more && parts === MAX_PARTS)
      if (isTooMuch) {
        this.#mustReadAll = true
        break
      }
      this.#state = found.new_state
      this.#api.others.show(found)
      if (!found.has_more) return
    }
    await this.#startAgain()
  }

  /** Returns null if the changes since the state are no longer known, as after a restore. */
  async #changesSince(since: string): Promise<LibraryChanges | null> {
    try {
      const { client, origin: exceptOrigin } = this.#api
      return await client.changes.list({ since, exceptOrigin, includeRecords: true })
    } catch (error) {
      if (isRefused(error, 'state_unknown')) return null
      throw error
    }
  }

  /** Begins at the current state. The data of the page may be from before a change that it did not hear of. */
  async #startAgain(): Promise<void> {
    this.#state = null
    const { new_state, idle_ms } = await this.#api.client.changes.list()
    this.#state = new_state
    const hasMissed = idle_ms !== null && idle_ms < this.#api.clock.elapsed()
    if (this.#mustReadAll || hasMissed) this.#api.refresh.all()
    this.#mustReadAll = false
  }
}
