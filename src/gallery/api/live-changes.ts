import { isRefused } from '#client/errors.ts'
import type { LibraryChanges, TesseraClient } from '#client/index.ts'
import type { EventData } from '#contract/events.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import type { ServerReachability } from '#gallery/api/connection/reachability.ts'
import type { ServerEvents } from '#gallery/api/connection/server-events.ts'
import type { ContestedImages } from '#gallery/api/outbox/contested-images.ts'
import { type Clock, sleep, Timer, throttled } from './clock.ts'
import type { OthersChanges } from './others-changes.ts'
import type { Refresh } from './refresh.ts'

/** The average time between two questions while changes go on, in milliseconds. */
const ASK_GAP_MS = 650

/** The number of questions that can be asked at once after a pause. */
const ASK_BURST = 4

/** The time between two questions while the event stream is not open, in milliseconds. */
const POLL_MS = 2_000

/** The time between two questions to a server that does not list changes, in milliseconds. */
const UNLISTED_POLL_MS = 5_000

/** The time after which the page asks without an event, in case the last one was lost, in milliseconds. */
const CHECK_MS = 30_000

/** The minimum time between two questions when the user returns to the page, in milliseconds. */
const RETURN_MS = 5_000

/** The number of answers with more changes after which the page reads all that it shows instead. */
const MAX_PARTS = 3

interface LiveApi {
  readonly client: Pick<TesseraClient, 'changes' | 'images' | 'server'>
  readonly clock: Clock
  readonly origin: string
  readonly events: Pick<ServerEvents, 'on' | 'onConnected' | 'stream'>
  readonly refresh: Pick<Refresh, 'all' | 'inSight' | 'askAgain'>
  readonly reachability: Pick<ServerReachability, 'askAgain'>
  readonly others: Pick<OthersChanges, 'show'>
  readonly contested: Pick<ContestedImages, 'ask'>
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
  #askedAt = Number.NEGATIVE_INFINITY
  /** True if something may have changed since the last question. */
  #isBehind = false
  /** The number of images and the newest one, on a server that does not list changes. null: not known yet. */
  #seen: string | null = null
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

  /** Begins to follow the changes of the server. */
  async start(signal: AbortSignal): Promise<void> {
    const isListed = await this.#isListed(signal)
    if (signal.aborted) return
    this.#isOn = isListed
    const { clock, events, refresh } = this.#api
    const refreshAll = throttled(clock, () => refresh.all(), { gapMs: RETURN_MS })
    const comeBack = () => (isListed ? this.#askIfOlderThan(RETURN_MS) : refreshAll())
    // A visible window next to another one only gets the focus again and fires no `visibilitychange`.
    const ifVisible = () => document.visibilityState === 'visible' && comeBack()
    window.addEventListener('focus', ifVisible, { signal })
    document.addEventListener('visibilitychange', ifVisible, { signal })
    signal.addEventListener('abort', () => this.#poll.stop())
    this.#pollLater()
    if (!isListed) return
    // Connecting the event stream takes longer than the answer.
    window.addEventListener('online', () => this.#fallBehind(), { signal })
    events.on('library_changed', (change) => this.#hear(change))
    events.onConnected(() => this.#fallBehind())
    document.addEventListener('visibilitychange', () => this.#catchUp(), { signal })
    this.#fallBehind()
  }

  /** Asks the server until it has answered. */
  async #isListed(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return await this.#api.client.server.has('changes')
      } catch {
        if (signal.aborted) return false
        await sleep(this.#api.clock, POLL_MS)
      }
    }
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

  /** Asks unless it has just asked. A tab that slept heard nothing, and may not notice that its connection is gone. */
  #askIfOlderThan(ms: number): void {
    if (this.#api.clock.elapsed() - this.#askedAt >= ms) this.#fallBehind()
  }

  #pollLater(): void {
    this.#poll.start(this.#isOn ? POLL_MS : UNLISTED_POLL_MS, () => {
      this.#lookForNews()
      this.#pollLater()
    })
  }

  #lookForNews(): void {
    if (!this.#isOn) void this.#lookForImages()
    else if (!this.#isStreamOpen || this.#isBehind) this.#fallBehind()
    else this.#askIfOlderThan(CHECK_MS)
  }

  get #isStreamOpen(): boolean {
    return this.#api.events.stream.getState().state.phase === 'open'
  }

  /** A plain InvokeAI tells nothing of others. Shows its boards, and refreshes the views if there are other images. */
  async #lookForImages(): Promise<void> {
    if (document.visibilityState === 'hidden') return
    const { client, refresh } = this.#api
    const newest = { offset: 0, limit: 1 }
    const found = await client.images
      .page({ isIntermediate: false, kind: 'all' }, newest)
      .catch(() => null)
    if (found === null) return
    const seen = `${found.total} ${found.items[0]?.image_name}`
    const isNew = this.#seen !== null && this.#seen !== seen
    this.#seen = seen
    if (isNew) refresh.inSight()
    else refresh.askAgain({ queryKey: boardKeys.all() })
  }

  async #ask(): Promise<void> {
    // A question that waited for its turn may come due after the tab was hidden.
    if (this.#isAsking || document.visibilityState === 'hidden') return
    this.#isAsking = true
    this.#isBehind = false
    this.#askedAt = this.#api.clock.elapsed()
    const hasAnswer = await this.#showChanges().then(
      () => true,
      () => false,
    )
    this.#isAsking = false
    if (hasAnswer) this.#catchUp()
    else {
      // The next event, connect or poll asks again.
      this.#isBehind = true
      void this.#api.reachability.askAgain()
    }
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
      const { client, contested, origin: exceptOrigin } = this.#api
      contested.ask()
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
