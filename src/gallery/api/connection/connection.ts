import { focusManager, QueryClient } from '@tanstack/react-query'
import { connect, RefusedError } from '#client/index.ts'
import { throttled } from '#gallery/api/throttled.ts'
import { accountToken } from './account-token.ts'

/** Where a browser keeps what it is called. */
const KEY = 'tessera:client-id'

const BYTES = 16

/**
 * What this browser is called by a server that keeps one line for events for each of them (design 4): the
 * same in all its tabs and after a restart.
 */
function clientId(): string {
  try {
    const kept = localStorage.getItem(KEY)
    if (kept !== null) return kept
    const made = newId()
    localStorage.setItem(KEY, made)
    return made
  } catch {
    // Storage is forbidden, or this is no browser: then it is called so until the page is left.
    return newId()
  }
}

/** Not `randomUUID`, which a page on plain http does not have. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** The client library, connected to the server that the page came from. */
export const gallery = connect({
  baseUrl: '',
  tokens: accountToken,
  events: { clientId: clientId() },
})

/** How often a question is asked again when no answer came, before the page says so. */
const RETRIES = 1

/** However often a person comes and goes, lists are asked for again no sooner than that, in milliseconds. */
const LOOK_AGAIN_MS = 5_000

/** What the server said, as the page last heard it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays one; that no answer came may be the line's fault.
      retry: (failures, error) => !(error instanceof RefusedError) && failures < RETRIES,
      retryDelay: 500,
      // The browser's word on being offline says nothing of a server on this machine.
      networkMode: 'always',
      staleTime: 30_000,
      gcTime: 10 * 60_000,
    },
    mutations: { networkMode: 'always' },
  },
})

// Other machines change things, and nobody tells. A window that was in sight beside another one has not
// been hidden meanwhile: it only gets the focus again.
focusManager.setEventListener((onFocus) => {
  if (!('document' in globalThis)) return
  const lookAgain = throttled(() => onFocus(), LOOK_AGAIN_MS)
  const comeBack = () => document.visibilityState === 'visible' && lookAgain()
  window.addEventListener('focus', comeBack)
  document.addEventListener('visibilitychange', comeBack)
  return () => {
    window.removeEventListener('focus', comeBack)
    document.removeEventListener('visibilitychange', comeBack)
  }
})
