import { type Query, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ConnectionError, isRefused, RefusedError, type UpstreamStatus } from '#client/index.ts'
import { backoffMs } from '#contract/backoff.ts'
import type { Health } from '#contract/server/app-operations.ts'
import { refreshAll } from '#gallery/api/after-changes.ts'
import { onOutboxFailure, retryOutbox } from '#gallery/api/outbox/outbox.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { upstreamQuery } from './upstream-status.ts'

/** The reachability of the server. */
export type Reachability =
  | { readonly kind: 'there' }
  /** The server does not answer. The next attempt is at `retryAt`, in milliseconds since 1970. */
  | {
      readonly kind: 'gone'
      readonly retryAt: number
      /** The reason if only the InvokeAI server behind it does not answer. */
      readonly upstream: string | null
    }
  /** The server requires a token that this browser does not have. */
  | { readonly kind: 'locked' }
  /** The server has accounts, and the user is not signed in. */
  | { readonly kind: 'signed out' }

/** The page must notice within two seconds that the server is back. These requests count in no rate limit. */
const retryBackoff = { firstMs: 1_000, longestMs: 1_500 }

let state: Reachability = { kind: 'there' }
let failures = 0
let retryAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let asking: Promise<void> | null = null
/** When the server was last found to be unreachable or reachable again, by `performance.now()`. */
let lastGoneAt = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()

/** Returns whether the server answers. Re-renders when that changes. */
export const useReachability = (): Reachability =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/** Returns true if the server was unreachable at any time since `atMs`, a time of `performance.now()`. */
export const wasGoneSince = (atMs: number): boolean => state.kind === 'gone' || lastGoneAt >= atMs

/** Checks now whether the server is reachable. Calls while a request is active share its result. */
export function askAgain(): Promise<void> {
  clearTimeout(timer)
  asking ??= askOnce().finally(() => {
    asking = null
  })
  return asking
}

async function askOnce(): Promise<void> {
  try {
    const upstream = await askForIt()
    retryAt = 0
    if (upstream?.state === 'down') markUnreachable(upstream.detail)
    else markReachable()
  } catch (error) {
    retryAt = 0
    if (isInDoubt(error)) markUnreachable(error.detail)
    else decide(error)
  }
}

/**
 * Sends a request that counts in no rate limit.
 *
 * @returns The status of the InvokeAI server behind this one; null if there is none.
 */
async function askForIt(): Promise<UpstreamStatus | null> {
  const hasUpstream = theGallery.client.server.known?.front !== undefined
  // A request to a hanging InvokeAI server would wait for minutes. The server in front of it detects that sooner.
  if (hasUpstream) return theGallery.client.server.upstream()
  await theGallery.client.server.version()
  return null
}

/** Marks the server as reachable after the user has signed in. */
export const signedIn = (): void => markReachable()

/** Watches the results of all queries to detect whether the server is reachable. */
export function watchReachability(): void {
  theGallery.queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'success' && !action.manual) {
      if (isOwnAnswer(query)) heardOfUpstream()
      else markReachable()
    }
    if (action.type === 'error') heard(action.error)
  })
  onOutboxFailure(() => state.kind === 'there' && void askAgain())
  // Check whether only the event stream is lost or the server is unreachable. The page reports only one of them.
  theGallery.events.onLost(() => state.kind === 'there' && void askAgain())
  theGallery.events.onConnected((isAgain) => {
    if (state.kind === 'gone') void askAgain()
    else if (isAgain) refreshAll()
  })
  theGallery.accountToken.onChange((token) => {
    if (token === null) change({ kind: 'signed out' })
    else if (state.kind === 'signed out') markReachable()
  })
  window.addEventListener('online', () => state.kind === 'gone' && void askAgain())
}

function heard(error: unknown): void {
  // Only the active request sets the time of the next one. Otherwise the countdown would jump.
  if (state.kind === 'gone' && asking !== null && isAway(error)) return
  decide(error)
}

function decide(error: unknown): void {
  if (isRefused(error, 'unauthorized')) change({ kind: 'locked' })
  else if (isRefused(error, 'login_required')) change({ kind: 'signed out' })
  else if (isInDoubt(error)) {
    if (state.kind === 'there') void askAgain()
  } else if (isAway(error)) {
    markUnreachable(isRefused(error, 'upstream_down') ? error.detail : null)
  }
}

/** Returns true for queries that a server in front of InvokeAI answers itself, even if InvokeAI is unreachable. */
const isOwnAnswer = ({ queryKey }: Query): boolean =>
  queryKey[0] === theGallery.capabilities.query.queryKey[0] ||
  queryKey[0] === upstreamQuery(theGallery.client).queryKey[0]

function heardOfUpstream(): void {
  const status = theGallery.queryClient.getQueryData(upstreamQuery(theGallery.client).queryKey)
  if (status?.state === 'down' && state.kind === 'there') markUnreachable(status.detail)
}

/** Returns true if one slow or invalid answer leaves open whether the server is unreachable. A small request decides. */
const isInDoubt = (error: unknown): error is RefusedError =>
  isRefused(error, 'upstream_timeout', 'upstream_answer_refused')

/** Returns true if no answer arrived, or a proxy answered instead of the server. */
const isAway = (error: unknown): boolean => error instanceof ConnectionError || isGateway(error)

const isGateway = (error: unknown): boolean =>
  error instanceof RefusedError && [502, 504].includes(error.status)

/**
 * Marks the server as unreachable and schedules the next attempt.
 *
 * @param upstream - The reason if only the InvokeAI server behind it is unreachable.
 */
function markUnreachable(upstream: string | null): void {
  // If several requests fail together, only the first one counts.
  if (retryAt > Date.now()) return
  const waitMs = backoffMs(retryBackoff, failures)
  failures += 1
  retryAt = Date.now() + waitMs
  change({ kind: 'gone', retryAt, upstream })
  clearTimeout(timer)
  timer = setTimeout(() => void askAgain(), waitMs)
}

function markReachable(): void {
  if (state.kind === 'there') return
  clearTimeout(timer)
  failures = 0
  retryAt = 0
  change({ kind: 'there' })
  retryOutbox()
  theGallery.events.reconnect()
  void theGallery.queryClient.refetchQueries(theGallery.capabilities.query)
  refreshAll()
}

function change(next: Reachability): void {
  if (next.kind === 'gone' || state.kind === 'gone') lastGoneAt = performance.now()
  state = next
  for (const listener of listeners) listener()
}

/** Polling interval in milliseconds. Health requests count in no limit. */
const CHECK_EVERY_MS = 2_000

/** The health of the server: whether the library is read-only, and why. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }): Promise<Health> => theGallery.client.server.health({ signal }),
  refetchInterval: CHECK_EVERY_MS,
  staleTime: 0,
})
