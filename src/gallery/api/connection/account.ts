import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Account, TesseraClient } from '#client/index.ts'
import type { Clock } from '#gallery/api/clock.ts'
import { usePart } from '#gallery/api/parts.ts'
import type { AccountToken } from './account-token.ts'
import { useCapabilities } from './capabilities.ts'
import type { ServerReachability } from './reachability.ts'

/** The account of the user; null on a server without accounts. */
const accountQuery = (client: Pick<TesseraClient, 'auth' | 'server'>) =>
  queryOptions({
    queryKey: ['account'],
    queryFn: async (): Promise<Account | null> =>
      (await client.server.isMultiUser()) ? client.auth.me() : null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** The minimum time between renewals of the image cookie, in milliseconds. Tokens change more often. */
const RENEW_MS = 60 * 60_000

/** The timeout of requests that delay the first image or signing out, in milliseconds. */
const TIMEOUT_MS = 3_000

interface AccountApi {
  readonly client: Pick<TesseraClient, 'auth' | 'server'>
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly accountToken: Pick<AccountToken, 'get' | 'onChange'>
  readonly reachability: Pick<ServerReachability, 'signedIn'>
  readonly journal: { clear(): Promise<void> }
  readonly outbox: {
    drop(): void
    flush(timeoutMs: number): Promise<void>
  }
}

export class UserAccount {
  readonly #api: AccountApi
  readonly query: ReturnType<typeof accountQuery>
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(api: AccountApi) {
    this.#api = api
    this.query = accountQuery(api.client)
    api.accountToken.onChange(() => void this.renewMediaCookie())
  }

  /**
   * Signs in, and reloads all data for this account.
   *
   * @throws {RefusedError} `login_failed`: the email address or password is wrong.
   * @throws {ConnectionError} The server did not answer.
   */
  async signIn(words: { email: string; password: string; rememberMe: boolean }): Promise<void> {
    const before = this.#api.queryClient.getQueryData(this.query.queryKey)
    const account = await this.#api.client.auth.login(words)
    this.#renewedAt = this.#api.clock.now()
    if (before && before.user_id !== account.user_id) {
      // The page and the pending changes belong to another account.
      this.#api.outbox.drop()
      await this.#api.journal.clear()
      window.location.assign(document.baseURI)
      return
    }
    this.#api.queryClient.setQueryData(this.query.queryKey, account)
    this.#api.reachability.signedIn()
  }

  /** Sends the pending changes, signs out, and reloads the page so that no data of this account remains. */
  async signOut(): Promise<void> {
    await this.#api.outbox.flush(TIMEOUT_MS)
    await this.#api.client.auth.logout({ signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {})
    this.#api.outbox.drop()
    await this.#api.journal.clear()
    window.location.assign(document.baseURI)
  }

  /** Renews the cookie for images: `<img>` sends no token. Await it before the first image is requested. */
  async renewMediaCookie(): Promise<void> {
    if (this.#api.accountToken.get() === null || this.#api.clock.now() - this.#renewedAt < RENEW_MS)
      return
    this.#renewedAt = this.#api.clock.now()
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    await this.#api.client.auth.renewMediaCookie({ signal }).catch(() => {
      // Retried with the next token. Other requests report an expired session or a missing server.
      this.#renewedAt = Number.NEGATIVE_INFINITY
    })
  }
}

/** Returns the account of the user; null on a server without accounts or while it is loading. */
export function useAccount(): Account | null {
  const account = usePart(UserAccount)
  const isInvokeAi = useCapabilities()?.server === 'invokeai'
  return useQuery({ ...account.query, enabled: isInvokeAi }).data ?? null
}
