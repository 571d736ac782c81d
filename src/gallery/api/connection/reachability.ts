import { type Query, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ConnectionError, isRefused, RefusedError, type UpstreamStatus } from '#client/index.ts'
import type { Health } from '#contract/server/app-operations.ts'
import { refreshAll } from '#gallery/api/after-changes.ts'
import { onOutboxFailure, retryOutbox } from '#gallery/api/outbox/outbox.ts'
import { onAccountToken } from './account-token.ts'
import { capabilitiesQuery } from './capabilities.ts'
import { gallery, queryClient } from './connection.ts'
import { onEventsConnected, onEventsLost, reconnectEvents } from './server-events.ts'
import { upstreamQuery } from './upstream-status.ts'

/** Whether the server answers. */
export type Reachability =
  | { readonly kind: 'there' }
  /** It does not; it is asked again at that time, in milliseconds since 1970. */
  | {
      readonly kind: 'gone'
      readonly retryAt: number
      /** Why the InvokeAI behind it does not answer, where it is that one. */
      readonly upstream: string | null
    }
  /** It wants a token that this browser has not. */
  | { readonly kind: 'locked' }
  /** It has accounts, and nobody is signed in, or not any more. */
  | { readonly kind: 'signed out' }

const FIRST_RETRY_MS = 1_000

/** A person waits for it (product P19: two seconds), and while it is gone nothing counts in its limits. */
const MAX_RETRY_MS = 1_500

let state: Reachability = { kind: 'there' }
let retryMs = FIRST_RETRY_MS
let retryAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let asking: Promise<void> | null = null
/** When it was last found to be gone, or back again, by `performance.now()`. */
let lastGoneAt = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()

/** Whether the server answers; re-renders when that changes. */
export const useReachability = (): Reachability =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/** Whether there was a time since then in which it did not answer, by `performance.now()`. */
export const wasGoneSince = (atMs: number): boolean => state.kind === 'gone' || lastGoneAt >= atMs

/** Asks the server now whether it is there. Calls while a request is active share its result. */
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

/** Both may be asked for as often as one likes. @returns How the InvokeAI is, where there is one behind. */
async function askForIt(): Promise<UpstreamStatus | null> {
  const hasUpstream = gallery.server.known?.front !== undefined
  // What is asked of a silent one would wait for minutes; the server before it knows sooner.
  if (hasUpstream) return gallery.server.upstream()
  await gallery.server.version()
  return null
}

/** Somebody has just signed in. */
export const signedIn = (): void => markReachable()

/** Listens to what every question to the server comes to. */
export function watchReachability(): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'success' && !action.manual) {
      if (isOwnAnswer(query)) heardOfUpstream()
      else markReachable()
    }
    if (action.type === 'error') heard(action.error)
  })
  onOutboxFailure(() => state.kind === 'there' && void askAgain())
  // Either the line alone is lost, or the server is gone: only one of them is to be said.
  onEventsLost(() => state.kind === 'there' && void askAgain())
  onEventsConnected((isAgain) => {
    if (state.kind === 'gone') void askAgain()
    else if (isAgain) refreshAll()
  })
  onAccountToken((token) => {
    if (token === null) change({ kind: 'signed out' })
    else if (state.kind === 'signed out') markReachable()
  })
  window.addEventListener('online', () => state.kind === 'gone' && void askAgain())
}

function heard(error: unknown): void {
  // The active request decides, and alone sets the time of the next one: the countdown would jump otherwise.
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

/** What a server in front of an InvokeAI answers by itself says nothing of that one. */
const isOwnAnswer = ({ queryKey }: Query): boolean =>
  queryKey[0] === capabilitiesQuery.queryKey[0] || queryKey[0] === upstreamQuery.queryKey[0]

function heardOfUpstream(): void {
  const status = queryClient.getQueryData(upstreamQuery.queryKey)
  if (status?.state === 'down' && state.kind === 'there') markUnreachable(status.detail)
}

/** One slow or strange answer may be that of one request: whether it is gone shows when it is asked for little. */
const isInDoubt = (error: unknown): error is RefusedError =>
  isRefused(error, 'upstream_timeout', 'upstream_answer_refused')

/** No answer of the server: none arrived, or a proxy answered. */
const isAway = (error: unknown): boolean => error instanceof ConnectionError || isGateway(error)

/** A proxy answers for a server that does not. */
const isGateway = (error: unknown): boolean =>
  error instanceof RefusedError && [502, 504].includes(error.status)

/** @param upstream - Why, where it is the InvokeAI behind the server. */
function markUnreachable(upstream: string | null): void {
  // Of several requests that fail together, the first one counts.
  if (retryAt > Date.now()) return
  retryAt = Date.now() + retryMs
  change({ kind: 'gone', retryAt, upstream })
  clearTimeout(timer)
  timer = setTimeout(() => void askAgain(), retryMs)
  retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
}

function markReachable(): void {
  if (state.kind === 'there') return
  clearTimeout(timer)
  retryMs = FIRST_RETRY_MS
  retryAt = 0
  change({ kind: 'there' })
  retryOutbox()
  reconnectEvents()
  void queryClient.refetchQueries(capabilitiesQuery)
  refreshAll()
}

function change(next: Reachability): void {
  if (next.kind === 'gone' || state.kind === 'gone') lastGoneAt = performance.now()
  state = next
  for (const listener of listeners) listener()
}

/** Polling interval in milliseconds. Health requests count in no limit. */
const CHECK_EVERY_MS = 2_000

/** Tells if the library is read-only, and why. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }): Promise<Health> => gallery.server.health({ signal }),
  refetchInterval: CHECK_EVERY_MS,
  staleTime: 0,
})
