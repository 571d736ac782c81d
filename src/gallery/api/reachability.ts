import { useSyncExternalStore } from 'react'
import { ConnectionError, isRefused, RefusedError } from '#client/index.ts'
import { onAccountToken } from './account-token.ts'
import { refreshAll } from './after-changes.ts'
import { capabilitiesQuery } from './capabilities.ts'
import { gallery, queryClient } from './connection.ts'
import { onOutboxFailure, retryOutbox } from './outbox.ts'
import { onEventLineLost, onEventLineOpen, retryEventLine } from './server-events.ts'

/** Whether the server answers. */
export type Reachability =
  | { readonly kind: 'there' }
  /** It does not; it is asked again at that time, in milliseconds since 1970. */
  | { readonly kind: 'gone'; readonly retryAt: number }
  /** It wants a token that this browser has not. */
  | { readonly kind: 'locked' }
  /** It has accounts, and nobody is signed in, or not any more. */
  | { readonly kind: 'signed out' }

const FIRST_RETRY_MS = 2_000

/** A server at home is back within seconds, and while it is gone nothing counts in its limits. */
const MAX_RETRY_MS = 5_000

let state: Reachability = { kind: 'there' }
let retryMs = FIRST_RETRY_MS
let retryAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
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

/** Asks the server now whether it is there. */
export async function askAgain(): Promise<void> {
  clearTimeout(timer)
  try {
    // Every server has it, and ours may be asked for it as often as one likes.
    await gallery.server.version()
    cameBack()
  } catch (error) {
    retryAt = 0
    heard(error)
  }
}

/** Somebody has just signed in. */
export const signedIn = (): void => cameBack()

/** Listens to what every question to the server comes to. */
export function watchReachability(): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success' && !event.action.manual) cameBack()
    if (event.action.type === 'error') heard(event.action.error)
  })
  onOutboxFailure(() => state.kind === 'there' && void askAgain())
  // Either the line alone is lost, or the server is gone: only one of them is to be said.
  onEventLineLost(() => state.kind === 'there' && void askAgain())
  onEventLineOpen((isAgain) => {
    if (state.kind === 'gone') void askAgain()
    else if (isAgain) refreshAll()
  })
  onAccountToken((token) => {
    if (token === null) change({ kind: 'signed out' })
    else if (state.kind === 'signed out') cameBack()
  })
  window.addEventListener('online', () => state.kind === 'gone' && void askAgain())
}

function heard(error: unknown): void {
  if (isRefused(error, 'unauthorized')) change({ kind: 'locked' })
  else if (isRefused(error, 'login_required')) change({ kind: 'signed out' })
  else if (error instanceof ConnectionError || isGateway(error)) wentAway()
}

/** A proxy answers for a server that does not. */
const isGateway = (error: unknown): boolean =>
  error instanceof RefusedError && [502, 504].includes(error.status)

function wentAway(): void {
  // Of several questions that fail together one is enough.
  if (retryAt > Date.now()) return
  retryAt = Date.now() + retryMs
  change({ kind: 'gone', retryAt })
  clearTimeout(timer)
  timer = setTimeout(() => void askAgain(), retryMs)
  retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
}

function cameBack(): void {
  if (state.kind === 'there') return
  clearTimeout(timer)
  retryMs = FIRST_RETRY_MS
  retryAt = 0
  change({ kind: 'there' })
  retryOutbox()
  retryEventLine()
  void queryClient.refetchQueries(capabilitiesQuery)
  refreshAll()
}

function change(next: Reachability): void {
  state = next
  for (const listener of listeners) listener()
}
