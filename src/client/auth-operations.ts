import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import type { TokenKeeper } from '#client/transport/token-keeper.ts'
import type { Account } from '#contract/server/auth-operations.ts'
import { getMe, login, logout, renewMediaCookie } from '#contract/server/auth-operations.ts'
import { isRefused, orIfRefused, RefusedError } from './errors.ts'

/** Credentials and options of a login. */
export interface LoginOptions extends CallOptions {
  readonly email: string
  readonly password: string
  /** True keeps the login valid for seven days instead of one. The default is false. */
  readonly rememberMe?: boolean | undefined
}

/** Account requests of an InvokeAI in multi-user mode. The caller's `TokenKeeper` stores the token. */
export class AuthOperations {
  readonly #http: Http
  readonly #tokens: TokenKeeper | undefined

  /** @internal */
  constructor(http: Http, tokens: TokenKeeper | undefined) {
    this.#http = http
    this.#tokens = tokens
  }

  /**
   * Logs in. Stores the token in the `TokenKeeper`; all later requests send it.
   *
   * @throws {RefusedError} `login_failed`: the account does not exist, or the password is wrong.
   */
  async login({ email, password, rememberMe = false, ...call }: LoginOptions): Promise<Account> {
    // The server would refuse an expired token before it checks the password.
    this.#tokens?.set(null)
    const body = { email, password, remember_me: rememberMe }
    try {
      const { token, user } = await this.#http.call(login, { body, ...call })
      this.#tokens?.set(token)
      return user
    } catch (error) {
      throw isRefused(error, 'login_required') ? failed(error) : error
    }
  }

  /**
   * Logs out. Always deletes the local token, even if the server does not answer.
   *
   * @throws {ConnectionError} The server did not answer. The local token is deleted.
   */
  async logout(options: CallOptions = {}): Promise<void> {
    try {
      await this.#http.call(logout, options)
    } finally {
      this.#tokens?.set(null)
    }
  }

  /**
   * Reads the account that is logged in.
   *
   * @throws {RefusedError} `login_required`: there is no login, or it expired.
   */
  me(options: CallOptions = {}): Promise<Account> {
    return this.#http.call(getMe, options)
  }

  /** Renews the cookie for `<img>` requests, which carry no token. It is valid as long as the token. */
  async renewMediaCookie(options: CallOptions = {}): Promise<void> {
    // Older versions of InvokeAI lack this request. There the cookie of the login stays valid.
    await orIfRefused(this.#http.call(renewMediaCookie, options), null, 404, 405)
  }
}

/** Creates a `login_failed` error. A proxy may report every 401 as `login_required`. */
const failed = (cause: RefusedError): RefusedError =>
  new RefusedError({ ...cause, code: 'login_failed' }, { cause })
