import Type, { type Static } from 'typebox'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'

const define = operationsOf({ tag: 'auth' })

/** An account of an InvokeAI in multi-user mode. A Tessera has none. */
export const Account = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  display_name: Nullable(Type.String()),
  is_admin: Type.Boolean(),
})
export type Account = Static<typeof Account>

const LoginResult = Type.Object({
  token: Type.String({ description: 'Send it as a bearer token' }),
  user: Account,
  expires_in: Type.Integer({ description: 'In seconds' }),
})

/** Header with a renewed token, which replaces the token of the request. */
export const REFRESHED_TOKEN_HEADER = 'x-refreshed-token'

const Done = Type.Object({ success: Type.Optional(Type.Boolean()) })

/** Also sets the cookie that authorizes `<img>` requests, which send no bearer token. */
export const login = define('POST', '/api/v1/auth/login', {
  operationId: 'login',
  summary: 'Signs in for one day, or for seven days',
  body: Type.Object({
    email: Type.String(),
    password: Type.String(),
    remember_me: Type.Boolean(),
  }),
  answers: { 200: LoginResult },
  refusals: ['login_failed'],
})

export const logout = define('POST', '/api/v1/auth/logout', {
  operationId: 'logout',
  summary: 'Signs out',
  answers: { 200: Done },
})

export const getMe = define('GET', '/api/v1/auth/me', {
  operationId: 'get_me',
  summary: 'Returns the signed-in account',
  answers: { 200: Account },
})

export const renewMediaCookie = define('POST', '/api/v1/auth/media-cookie', {
  operationId: 'renew_media_cookie',
  summary: 'Renews the cookie for images for the lifetime of the token',
  answers: { 200: Done },
})
