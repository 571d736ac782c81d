import Type, { type Static } from 'typebox'
import { defineOperation } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'

/** An account of an InvokeAI in multi-user mode. A Tessera has none. */
export const Account = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  display_name: Nullable(Type.String()),
  is_admin: Type.Boolean(),
})
export type Account = Static<typeof Account>

/** Result of a login. */
export const LoginResult = Type.Object({
  token: Type.String({ description: 'Send it as a bearer token' }),
  user: Account,
  expires_in: Type.Integer({ description: 'In seconds' }),
})
export type LoginResult = Static<typeof LoginResult>

/** Header with a renewed token, which replaces the token of the request. */
export const REFRESHED_TOKEN_HEADER = 'x-refreshed-token'

const Done = Type.Object({ success: Type.Optional(Type.Boolean()) })

/** Also sets the cookie that authorizes `<img>` requests, which send no bearer token. */
export const login = defineOperation({
  operationId: 'login',
  method: 'POST',
  path: '/api/v1/auth/login',
  summary: 'Signs in for one day, or for seven days',
  tag: 'auth',
  body: Type.Object({
    email: Type.String(),
    password: Type.String(),
    remember_me: Type.Boolean(),
  }),
  answers: { 200: LoginResult },
  refusals: ['login_failed'],
})

export const logout = defineOperation({
  operationId: 'logout',
  method: 'POST',
  path: '/api/v1/auth/logout',
  summary: 'Signs out',
  tag: 'auth',
  answers: { 200: Done },
  refusals: [],
})

export const getMe = defineOperation({
  operationId: 'get_me',
  method: 'GET',
  path: '/api/v1/auth/me',
  summary: 'Returns the signed-in account',
  tag: 'auth',
  answers: { 200: Account },
  refusals: [],
})

export const renewMediaCookie = defineOperation({
  operationId: 'renew_media_cookie',
  method: 'POST',
  path: '/api/v1/auth/media-cookie',
  summary: 'Renews the cookie for images for the lifetime of the token',
  tag: 'auth',
  answers: { 200: Done },
  refusals: [],
})
