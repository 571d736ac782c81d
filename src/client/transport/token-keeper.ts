/**
 * Keeps the token of an account (wire 7) for as long as the caller wants it kept: in memory, in a file, in a
 * browser's storage.
 *
 * @example
 * let token: string | null = null
 * const tokens = { get: () => token, set: (next) => { token = next } }
 * const client = connect({ baseUrl: 'http://127.0.0.1:9090', tokens })
 * await client.auth.login({ email: 'ada@example.com', password: 'engine' })
 */
export interface TokenKeeper {
  /** null: nobody is logged in. Asked before every request and every connection. */
  get(): string | null
  /** A login, a newer token for the same login, or null: a logout. */
  set(token: string | null): void
}
