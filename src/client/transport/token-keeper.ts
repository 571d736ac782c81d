/**
 * Storage for the token of an account. The application decides where it is stored: in memory, in a file or in
 * browser storage.
 *
 * @example
 * let token: string | null = null
 * const tokens = { get: () => token, set: (next) => { token = next } }
 * const client = connect({ baseUrl: 'http://127.0.0.1:9090', tokens })
 * await client.auth.login({ email: 'ada@example.com', password: 'engine' })
 */
export interface TokenKeeper {
  /** Returns the token, or null if there is no login. Called before every request and every connection. */
  get(): string | null
  /** Stores the token of a login, or its renewed token; null deletes it at a logout or expiry. */
  set(token: string | null): void
}
