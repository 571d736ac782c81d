import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import type { TokenKeeper } from '#client/transport/token-keeper.ts'
import { getMe, login, logout, renewMediaCookie } from '#contract/server/auth-operations.ts'
import { isRefused, RefusedError } from './errors.ts'
import type { Account } from './records.ts'

/** With what an account is opened. */
export interface LoginOptions extends CallOptions {
  readonly email: string
  readonly password: string
  /** For seven days instead of one. The default is false. */
  readonly rememberMe?: boolean | undefined
}

/** Accounts of an InvokeAI in multi-user mode (wire 7). Tokens are kept by the caller. */
export class AuthOperations {
  readonly #http: Http
  readonly #tokens: TokenKeeper | undefined

  constructor(http: Http, tokens: TokenKeeper | undefined) {
    this.#http = http
    this.#tokens = tokens
  }

  /**
   * Opens an account. Its token goes to the keeper, and along with everything from then on.
   *
   * @throws {RefusedError} `login_failed`: there is no such account, or it has another password.
   */
  async login({ email, password, rememberMe = false, ...call }: LoginOptions): Promise<Account> {
    // A token that has run out would be refused in place of the password.
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

  /** Ends the login, here in any case, and on the server if it answers. */
  async logout(options: CallOptions = {}): Promise<void> {
    try {
      await this.#http.call(logout, options)
    } finally {
      this.#tokens?.set(null)
    }
  }

  /**
   * Whose login it is.
   *
   * @throws {RefusedError} `login_required`: nobody's, or not any more.
   */
  me(options: CallOptions = {}): Promise<Account> {
    return this.#http.call(getMe, options)
  }

  /** Has images be shown by `<img>`, which sends no token, for as long as the token lasts. */
  async renewMediaCookie(options: CallOptions = {}): Promise<void> {
    try {
      await this.#http.call(renewMediaCookie, options)
    } catch (error) {
      // Not every version has it: the one that a login set has to do.
      if (!(error instanceof RefusedError) || ![404, 405].includes(error.status)) throw error
    }
  }
}

/** What passes a login on may call each 401 by one name. */
const failed = (cause: RefusedError): RefusedError =>
  new RefusedError({ ...cause, code: 'login_failed' }, { cause })
