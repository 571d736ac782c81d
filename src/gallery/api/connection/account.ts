import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Account } from '#client/index.ts'
import { dropOutbox, emptyOutbox } from '#gallery/api/outbox/outbox.ts'
import { accountToken, onAccountToken } from './account-token.ts'
import { useCapabilities } from './capabilities.ts'
import { gallery, queryClient } from './connection.ts'
import { signedIn } from './reachability.ts'

/** How often the cookie for images is renewed while newer tokens come, in milliseconds. */
const RENEW_MS = 60 * 60_000

/** What may keep the first picture waiting, and a person who goes, in milliseconds. */
const PATIENCE_MS = 3_000

let renewedAt = Number.NEGATIVE_INFINITY

/** Whose account it is; null before a server without accounts. */
const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async (): Promise<Account | null> =>
    (await gallery.server.isMultiUser()) ? gallery.auth.me() : null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Who is signed in; null where nobody has to be, or before that is known. */
export function useAccount(): Account | null {
  const isInvokeAi = useCapabilities()?.server === 'invokeai'
  return useQuery({ ...accountQuery, enabled: isInvokeAi }).data ?? null
}

/**
 * Signs in, and shows everything as this account sees it.
 *
 * @throws {RefusedError} `login_failed`: the password is not this account's.
 * @throws {ConnectionError} No answer came.
 */
export async function signIn(words: {
  email: string
  password: string
  rememberMe: boolean
}): Promise<void> {
  const before = queryClient.getQueryData(accountQuery.queryKey)
  const account = await gallery.auth.login(words)
  renewedAt = Date.now()
  if (before && before.user_id !== account.user_id) {
    // What is on the page, and what waits to be sent, is somebody else's.
    dropOutbox()
    window.location.assign('/')
    return
  }
  queryClient.setQueryData(accountQuery.queryKey, account)
  signedIn()
}

/** Sends what is held back for Undo, signs out, and leaves nothing of this account on the page. */
export async function signOut(): Promise<void> {
  await emptyOutbox(PATIENCE_MS)
  await gallery.auth.logout({ signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => {})
  dropOutbox()
  window.location.assign('/')
}

/** Has images be shown to `<img>`, which sends no token. To be awaited before the first one is asked for. */
export async function renewMediaCookie(): Promise<void> {
  if (accountToken.get() === null || Date.now() - renewedAt < RENEW_MS) return
  renewedAt = Date.now()
  const signal = AbortSignal.timeout(PATIENCE_MS)
  await gallery.auth.renewMediaCookie({ signal }).catch(() => {
    // Whoever has to sign in again is told so by it; without an answer the rest gets none either.
    renewedAt = Number.NEGATIVE_INFINITY
  })
}

onAccountToken(() => void renewMediaCookie())
