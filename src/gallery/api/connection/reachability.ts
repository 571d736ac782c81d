import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  ConnectionError,
  isRefused,
  RefusedError,
  type TesseraClient,
  type UpstreamStatus,
} from '#client/index.ts'
import { backoffMs } from '#contract/backoff.ts'
import type { Health } from '#contract/server/health-operations.ts'
import { type Clock, Timer } from '#gallery/api/clock.ts'
import { Listeners, useSource } from '#gallery/api/listeners.ts'
import { usePart } from '#gallery/api/parts.ts'
import type { AccountToken } from './account-token.ts'
import type { ServerCapabilities } from './capabilities.ts'
import type { ServerEvents } from './server-events.ts'
import { upstreamQuery } from './upstream-status.ts'

/** A service behind the server that does not answer, with the reason. */
export interface ServiceBehind {
  readonly name: 'InvokeAI' | 'The database' | 'The library'
  readonly detail: string | null
}

export type Reachability =
  | { readonly kind: 'there' }
  /** The server does not answer. The next attempt is at `retryAt`, in milliseconds since 1970. */
  | {
      readonly kind: 'gone'
      readonly retryAt: number
      /** null: the server itself does not answer. */
      readonly behind: ServiceBehind | null
    }
  /** The server requires a token that this browser does not have. */
  | { readonly kind: 'locked' }
  /** The server has accounts, and the user is not signed in. */
  | { readonly kind: 'signed out' }

/** The page must notice within two seconds that the server is back. These requests count in no rate limit. */
const retryBackoff = { firstMs: 1_000, longestMs: 1_500 }

interface ReachabilityApi {
  readonly client: Pick<TesseraClient, 'server'>
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly accountToken: Pick<AccountToken, 'onChange'>
  readonly capabilities: Pick<ServerCapabilities, 'query'>
  readonly events: Pick<ServerEvents, 'onConnected' | 'onLost' | 'reconnect'>
  readonly refresh: { all(): void }
  readonly outbox: {
    onFailure(listener: () => void): void
    readonly worker: { retryNow(): void }
  }
}

/** Watches whether the server can be reached, and recovers afterwards. */
export class ServerReachability {
  readonly #api: ReachabilityApi
  readonly #timer: Timer
  readonly #changes = new Listeners()
  readonly subscribe = this.#changes.add
  #state: Reachability = { kind: 'there' }
  #failures = 0
  #retryAt = 0
  #asking: Promise<void> | null = null
  /** When the server was last found to be unreachable or reachable again, by `clock.elapsed()`. */
  #lastGoneAt = Number.NEGATIVE_INFINITY

  constructor(api: ReachabilityApi) {
    this.#api = api
    this.#timer = new Timer(api.clock)
  }

  /** Returns true if the server was unreachable at any time since `atMs`, a time of `clock.elapsed()`. */
  readonly wasGoneSince = (atMs: number): boolean =>
    this.#state.kind === 'gone' || this.#lastGoneAt >= atMs

  /** Checks now whether the server is reachable. Calls while a request is active share its result. */
  askAgain(): Promise<void> {
    this.#timer.stop()
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  readonly signedIn = (): void => this.#markReachable()

  /** Watches the results of all queries to detect whether the server is reachable. */
  start(signal: AbortSignal): void {
    this.#api.queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      const { query, action } = event
      if (action.type === 'success' && !action.manual) {
        if (this.#isOwnAnswer(query)) this.#heardOfUpstream()
        else this.#markReachable()
      }
      if (action.type === 'error') this.#heard(action.error)
    })
    this.#api.outbox.onFailure(() => this.#state.kind === 'there' && void this.askAgain())
    // Check whether only the event stream is lost or the server is unreachable. The page reports only one of them.
    this.#api.events.onLost(() => this.#state.kind === 'there' && void this.askAgain())
    this.#api.events.onConnected((isAgain) => {
      if (this.#state.kind === 'gone') void this.askAgain()
      else if (isAgain) this.#api.refresh.all()
    })
    this.#api.accountToken.onChange((token) => {
      if (token === null) this.#change({ kind: 'signed out' })
      else if (this.#state.kind === 'signed out') this.#markReachable()
    })
    window.addEventListener('online', () => this.#state.kind === 'gone' && void this.askAgain(), {
      signal,
    })
  }

  getState(): Reachability {
    return this.#state
  }

  async #askOnce(): Promise<void> {
    try {
      const upstream = await this.#askForIt()
      this.#retryAt = 0
      if (upstream?.state === 'down') this.#markUnreachable(invokeAi(upstream.detail))
      else this.#markReachable()
    } catch (error) {
      this.#retryAt = 0
      if (isInDoubt(error)) this.#markUnreachable(invokeAi(error.detail))
      else this.#decide(error)
    }
  }

  /** Asks outside of the rate limits. Returns the status of the InvokeAI server behind this one, or null. */
  async #askForIt(): Promise<UpstreamStatus | null> {
    const { known } = this.#api.client.server
    const hasUpstream = known?.front !== undefined
    // A request to a hanging InvokeAI server would wait for minutes. The server in front of it detects that sooner.
    if (hasUpstream) return this.#api.client.server.upstream()
    // The version does not tell whether the database answers.
    if (known?.server === 'tessera') await this.#api.client.server.checkLibrary()
    else await this.#api.client.server.version()
    return null
  }

  #heard(error: unknown): void {
    // Only the active request sets the time of the next one. Otherwise the countdown would jump.
    if (this.#state.kind === 'gone' && this.#asking !== null && isAway(error)) return
    this.#decide(error)
  }

  #decide(error: unknown): void {
    if (isRefused(error, 'unauthorized')) this.#change({ kind: 'locked' })
    else if (isRefused(error, 'login_required')) this.#change({ kind: 'signed out' })
    else if (isInDoubt(error)) {
      if (this.#state.kind === 'there') void this.askAgain()
    } else if (isAway(error)) {
      this.#markUnreachable(behindOf(error))
    }
  }

  /** Returns true for queries that a server in front of InvokeAI answers itself, even if InvokeAI is unreachable. */
  readonly #isOwnAnswer = ({ queryKey }: Query): boolean =>
    queryKey[0] === this.#api.capabilities.query.queryKey[0] ||
    queryKey[0] === upstreamQuery(this.#api.client).queryKey[0]

  #heardOfUpstream(): void {
    const status = this.#api.queryClient.getQueryData(upstreamQuery(this.#api.client).queryKey)
    if (status?.state === 'down' && this.#state.kind === 'there')
      this.#markUnreachable(invokeAi(status.detail))
  }

  /**
   * Marks the server as unreachable and schedules the next attempt.
   *
   * @param behind - The service if only one behind the server is unreachable.
   */
  #markUnreachable(behind: ServiceBehind | null): void {
    // If several requests fail together, only the first one counts.
    if (this.#retryAt > this.#api.clock.now()) return
    const waitMs = backoffMs(retryBackoff, this.#failures)
    this.#failures += 1
    this.#retryAt = this.#api.clock.now() + waitMs
    this.#change({ kind: 'gone', retryAt: this.#retryAt, behind })
    this.#timer.restart(waitMs, () => void this.askAgain())
  }

  #markReachable(): void {
    if (this.#state.kind === 'there') return
    this.#timer.stop()
    this.#failures = 0
    this.#retryAt = 0
    this.#change({ kind: 'there' })
    this.#api.outbox.worker.retryNow()
    this.#api.events.reconnect()
    void this.#api.queryClient.refetchQueries(this.#api.capabilities.query)
    this.#api.refresh.all()
  }

  #change(next: Reachability): void {
    if (next.kind === 'gone' || this.#state.kind === 'gone')
      this.#lastGoneAt = this.#api.clock.elapsed()
    this.#state = next
    this.#changes.emit()
  }
}

/** True if one slow or invalid answer leaves open whether the server is unreachable. A small request decides. */
const isInDoubt = (error: unknown): error is RefusedError =>
  isRefused(error, 'upstream_timeout', 'upstream_answer_refused')

const invokeAi = (detail: string | null): ServiceBehind => ({ name: 'InvokeAI', detail })

/** Returns the service behind the server that did not answer; null for other errors. */
export const behindOf = (error: unknown): ServiceBehind | null => {
  if (isRefused(error, 'database_down')) return { name: 'The database', detail: null }
  if (isRefused(error, 'library_away')) return { name: 'The library', detail: error.detail }
  return isRefused(error, 'upstream_down') ? invokeAi(error.detail) : null
}

/** Returns true if no answer arrived, a proxy answered instead of the server, or its database or data folder is away. */
const isAway = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  isRefused(error, 'database_down', 'library_away') ||
  (error instanceof RefusedError && [502, 504].includes(error.status))

export const useReachability = (): Reachability => useSource(usePart(ServerReachability))

/** Polling interval in milliseconds. Health requests count in no limit. */
const CHECK_EVERY_MS = 2_000

/** The health of the server: whether the library is read-only, and why. */
export const healthQuery = (client: TesseraClient) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }): Promise<Health> => client.server.health({ signal }),
    refetchInterval: CHECK_EVERY_MS,
    staleTime: 0,
  })
