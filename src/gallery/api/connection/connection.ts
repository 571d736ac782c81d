import { focusManager, QueryClient } from '@tanstack/react-query'
import { connect, RefusedError } from '#client/index.ts'
import { throttled } from '#gallery/api/throttled.ts'
import { accountToken } from './account-token.ts'

/** The localStorage key of the client ID. */
const KEY = 'tessera:client-id'

const BYTES = 16

/**
 * Returns the ID of this browser. All tabs share it, and it survives a restart. The server keeps one event stream per
 * client ID.
 */
function clientId(): string {
  try {
    const kept = localStorage.getItem(KEY)
    if (kept !== null) return kept
    const made = newId()
    localStorage.setItem(KEY, made)
    return made
  } catch {
    // Storage is unavailable: the ID is valid until the page is closed.
    return newId()
  }
}

/** Returns a random ID. `crypto.randomUUID` is unavailable on pages over plain HTTP. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** The client library, connected to the origin of the page. */
export const gallery = connect({
  baseUrl: '',
  tokens: accountToken,
  events: { clientId: clientId() },
})

/** Retries of an unanswered query before the page reports an error. */
const RETRIES = 1

/** The minimum time between refetches when the window gets the focus, in milliseconds. */
const FOCUS_REFETCH_MS = 5_000

/** The cache of all answers. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal is final. A missing answer may be a temporary network error.
      retry: (failures, error) => !(error instanceof RefusedError) && failures < RETRIES,
      retryDelay: 500,
      // A server on this machine is reachable even if the browser reports that it is offline.
      networkMode: 'always',
      staleTime: 30_000,
      gcTime: 10 * 60_000,
    },
    mutations: { networkMode: 'always' },
  },
})

// Other clients change data without a notification. A visible window next to another one only gets the focus again and
// fires no `visibilitychange`.
focusManager.setEventListener((onFocus) => {
  if (!('document' in globalThis)) return
  const refetch = throttled(() => onFocus(), FOCUS_REFETCH_MS)
  const comeBack = () => document.visibilityState === 'visible' && refetch()
  window.addEventListener('focus', comeBack)
  document.addEventListener('visibilitychange', comeBack)
  return () => {
    window.removeEventListener('focus', comeBack)
    document.removeEventListener('visibilitychange', comeBack)
  }
})
