import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Account } from '#client/index.ts'
import { dropOutbox, flushOutbox } from '#gallery/api/outbox/outbox.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { useCapabilities } from './capabilities.ts'
import { signedIn } from './reachability.ts'

/** The minimum time between renewals of the image cookie, in milliseconds. Tokens change more often. */
const RENEW_MS = 60 * 60_000

/** The timeout of requests that delay the first image or signing out, in milliseconds. */
const TIMEOUT_MS = 3_000

let renewedAt = Number.NEGATIVE_INFINITY

/** The account of the user; null on a server without accounts. */
const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async (): Promise<Account | null> =>
    (await theGallery.client.server.isMultiUser()) ? theGallery.client.auth.me() : null,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Returns the account of the user; null on a server without accounts or while it is loading. */
export function useAccount(): Account | null {
  const isInvokeAi = useCapabilities()?.server === 'invokeai'
  return useQuery({ ...accountQuery, enabled: isInvokeAi }).data ?? null
}

/**
 * Signs in, and reloads all data for this account.
 *
 * @throws {RefusedError} `login_failed`: the email address or password is wrong.
 * @throws {ConnectionError} The server did not answer.
 */
export async function signIn(words: {
  email: string
  password: string
  rememberMe: boolean
}): Promise<void> {
  const before = theGallery.queryClient.getQueryData(accountQuery.queryKey)
  const account = await theGallery.client.auth.login(words)
  renewedAt = Date.now()
  if (before && before.user_id !== account.user_id) {
    // The page and the pending changes belong to another account.
    dropOutbox()
    window.location.assign('/')
    return
  }
  theGallery.queryClient.setQueryData(accountQuery.queryKey, account)
  signedIn()
}

/** Sends the pending changes, signs out, and reloads the page so that no data of this account remains. */
export async function signOut(): Promise<void> {
  await flushOutbox(TIMEOUT_MS)
  await theGallery.client.auth.logout({ signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {})
  dropOutbox()
  window.location.assign('/')
}

/** Renews the cookie for images: `<img>` sends no token. Await it before the first image is requested. */
export async function renewMediaCookie(): Promise<void> {
  if (theGallery.accountToken.get() === null || Date.now() - renewedAt < RENEW_MS) return
  renewedAt = Date.now()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  await theGallery.client.auth.renewMediaCookie({ signal }).catch(() => {
    // Retried with the next token. Other requests report an expired session or a missing server.
    renewedAt = Number.NEGATIVE_INFINITY
  })
}

theGallery.accountToken.onChange(() => void renewMediaCookie())
