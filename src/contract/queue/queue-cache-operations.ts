import Type, { type Static } from 'typebox'
import { operationsOf } from '#contract/operation.ts'

const define = operationsOf({ tag: 'app' })

/** Size and hit statistics of the invocation cache. */
export const InvocationCacheStatus = Type.Object({
  size: Type.Integer({ description: 'Number of cached outputs' }),
  hits: Type.Integer(),
  misses: Type.Integer(),
  enabled: Type.Boolean(),
  max_size: Type.Integer(),
})
export type InvocationCacheStatus = Static<typeof InvocationCacheStatus>

export const getInvocationCacheStatus = define('GET', '/api/v1/app/invocation_cache/status', {
  operationId: 'get_invocation_cache_status',
  summary: 'Returns the state of the invocation cache',
  answers: { 200: InvocationCacheStatus },
})

export const enableInvocationCache = define('PUT', '/api/v1/app/invocation_cache/enable', {
  operationId: 'enable_invocation_cache',
  summary: 'Enables the cache: nodes with the same inputs return their previous output',
  answers: { 200: Type.Null() },
})

export const disableInvocationCache = define('PUT', '/api/v1/app/invocation_cache/disable', {
  operationId: 'disable_invocation_cache',
  summary: 'Disables the cache',
  answers: { 200: Type.Null() },
})

export const clearInvocationCache = define('DELETE', '/api/v1/app/invocation_cache', {
  operationId: 'clear_invocation_cache',
  summary: 'Clears the cache',
  answers: { 200: Type.Null() },
})
