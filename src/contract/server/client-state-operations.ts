import Type from 'typebox'
import { MAX_CLIENT_STATE_KEY_LENGTH, MAX_CLIENT_STATE_LENGTH } from '#contract/limits.ts'
import { defineOperation } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'

const params = Type.Object({
  queue_id: Type.String({ description: 'Any value: client state does not belong to a queue' }),
})
const query = Type.Object({ key: Type.String({ maxLength: MAX_CLIENT_STATE_KEY_LENGTH }) })

/**
 * Reads data that a client stores on the server for itself. Tagged `app`, because its responses do not depend
 * on images.
 */
export const getClientState = defineOperation({
  operationId: 'get_client_state_by_key',
  method: 'GET',
  path: '/api/v1/client_state/{queue_id}/get_by_key',
  summary: 'Returns the text that a client stored under a key, or null',
  tag: 'app',
  params,
  query,
  answers: { 200: Nullable(Type.String()) },
  refusals: [],
})

export const setClientState = defineOperation({
  operationId: 'set_client_state',
  method: 'POST',
  path: '/api/v1/client_state/{queue_id}/set_by_key',
  summary: 'Stores a text under a key, replaces the previous text, and returns it',
  tag: 'app',
  params,
  query,
  text: Type.String({ maxLength: MAX_CLIENT_STATE_LENGTH }),
  answers: { 200: Type.String() },
  refusals: ['body_too_large', 'disk_full'],
})

export const listClientStateKeys = defineOperation({
  operationId: 'get_client_state_keys_by_prefix',
  method: 'GET',
  path: '/api/v1/client_state/{queue_id}/get_keys_by_prefix',
  summary: 'Lists the keys with a prefix in order',
  tag: 'app',
  params,
  query: Type.Object({ prefix: Type.String({ maxLength: MAX_CLIENT_STATE_KEY_LENGTH }) }),
  answers: { 200: Type.Array(Type.String()) },
  refusals: [],
})

export const deleteClientStateKey = defineOperation({
  operationId: 'delete_client_state_by_key',
  method: 'POST',
  path: '/api/v1/client_state/{queue_id}/delete_by_key',
  summary: 'Deletes a key. An unknown key is not an error',
  tag: 'app',
  params,
  query,
  answers: { 200: Type.Null() },
  refusals: [],
})

export const deleteClientState = defineOperation({
  operationId: 'delete_client_state',
  method: 'POST',
  path: '/api/v1/client_state/{queue_id}/delete',
  summary: 'Deletes all keys',
  tag: 'app',
  params,
  answers: { 200: Type.Null() },
  refusals: [],
})
