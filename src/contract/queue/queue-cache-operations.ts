import Type, { type Static } from 'typebox'
import { defineOperation } from '#contract/operation.ts'

/** Size and hit statistics of the invocation cache. */
export const InvocationCacheStatus = Type.Object({
  size: Type.Integer({ description: 'Number of cached outputs' }),
  hits: Type.Integer(),
  misses: Type.Integer(),
  enabled: Type.Boolean(),
  max_size: Type.Integer(),
})
export type InvocationCacheStatus = Static<typeof InvocationCacheStatus>

export const getInvocationCacheStatus = defineOperation({
  operationId: 'get_invocation_cache_status',
  method: 'GET',
  path: '/api/v1/app/invocation_cache/status',
  summary: 'Returns the state of the invocation cache',
  tag: 'app',
  answers: { 200: InvocationCacheStatus },
  refusals: [],
})

export const enableInvocationCache = defineOperation({
  operationId: 'enable_invocation_cache',
  method: 'PUT',
  path: '/api/v1/app/invocation_cache/enable',
  summary: 'Enables the cache: nodes with the same inputs return their previous output',
  tag: 'app',
  answers: { 200: Type.Null() },
  refusals: [],
})

export const disableInvocationCache = defineOperation({
  operationId: 'disable_invocation_cache',
  method: 'PUT',
  path: '/api/v1/app/invocation_cache/disable',
  summary: 'Disables the cache',
  tag: 'app',
  answers: { 200: Type.Null() },
  refusals: [],
})

export const clearInvocationCache = defineOperation({
  operationId: 'clear_invocation_cache',
  method: 'DELETE',
  path: '/api/v1/app/invocation_cache',
  summary: 'Clears the cache',
  tag: 'app',
  answers: { 200: Type.Null() },
  refusals: [],
})
