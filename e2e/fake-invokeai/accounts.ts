import { createHmac, randomBytes, randomUUID } from 'node:crypto'

/** An account of the multi-user mode. */
export interface Account {
  user_id: string
  email: string
  display_name: string | null
  is_admin: boolean
  is_active: boolean
}

/** The properties of a new account. */
export interface AccountOptions {
  email: string
  password: string
  isAdmin?: boolean
}

interface Claims {
  user_id: string
  email: string
  is_admin: boolean
  remember_me: boolean
  token_epoch: number
  /** Seconds since 1970. */
  exp: number
}

export const SYSTEM: Account = {
  user_id: 'system',
  email: 'system@system.invokeai',
  display_name: 'System',
  is_admin: true,
  is_active: true,
}

const DAY_S = 86_400

/** Accounts and their tokens (JWT, HS256). Tokens remain valid after a restart because the secret does not change. */
export class Accounts {
  /** Owners of boards, images, batches and zips by name. Others belong to `system`. */
  readonly owners = new Map<string, string>()
  readonly #accounts: (Account & { password: string; epoch: number })[]
  readonly #secret = randomBytes(32)

  constructor(options: readonly AccountOptions[]) {
    this.#accounts = options.map(({ email, password, isAdmin = false }) => ({
      user_id: randomUUID(),
      email,
      display_name: email.split('@')[0] ?? null,
      is_admin: isAdmin,
      is_active: true,
      password,
      epoch: 0,
    }))
  }

  /** True if there are accounts. Without any, the server is in single-user mode. */
  get isMultiUser(): boolean {
    return this.#accounts.length > 0
  }

  /** @returns null if the email or password is wrong. */
  login(email: string, password: string, rememberMe: boolean) {
    const found = this.#accounts.find((each) => each.email === email && each.password === password)
    if (found === undefined) return null
    const expires_in = rememberMe ? 7 * DAY_S : DAY_S
    return { token: this.#tokenFor(found, rememberMe), user: publicOf(found), expires_in }
  }

  /** Returns the account of a token, or null if the token is malformed, expired or revoked. */
  userOf(token: string | undefined): Account | null {
    if (!this.isMultiUser) return SYSTEM
    const claims = token === undefined ? null : this.#claimsOf(token)
    const account = this.#accounts.find(({ user_id }) => user_id === claims?.user_id)
    const isGood = claims !== null && claims.exp > Date.now() / 1000
    return account && isGood && claims.token_epoch === account.epoch ? publicOf(account) : null
  }

  /** Returns a new token with the same lifetime, starting now. */
  refreshed(token: string): string | null {
    const claims = this.#claimsOf(token)
    const account = this.#accounts.find(({ user_id }) => user_id === claims?.user_id)
    return claims && account ? this.#tokenFor(account, claims.remember_me) : null
  }

  /** Invalidates all tokens. */
  expireTokens(): void {
    for (const account of this.#accounts) account.epoch += 1
  }

  #tokenFor(account: Account & { epoch: number }, rememberMe: boolean): string {
    const claims: Claims = {
      user_id: account.user_id,
      email: account.email,
      is_admin: account.is_admin,
      remember_me: rememberMe,
      token_epoch: account.epoch,
      exp: Math.floor(Date.now() / 1000) + (rememberMe ? 7 * DAY_S : DAY_S),
    }
    const body = [
      { alg: 'HS256', typ: 'JWT' },
      { ...claims, jti: randomUUID() },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${body}.${this.#sign(body)}`
  }

  #claimsOf(token: string): Claims | null {
    const [header, payload, signature] = token.split('.')
    if (payload === undefined || this.#sign(`${header}.${payload}`) !== signature) return null
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
  }

  #sign = (body: string) => createHmac('sha256', this.#secret).update(body).digest('base64url')
}

function publicOf({ user_id, email, display_name, is_admin, is_active }: Account): Account {
  return { user_id, email, display_name, is_admin, is_active }
}
