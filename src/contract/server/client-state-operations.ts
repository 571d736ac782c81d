import Type from 'typebox'
import { MAX_CLIENT_STATE_KEY_LENGTH, MAX_CLIENT_STATE_LENGTH } from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'

const define = operationsOf({
  tag: 'app',
  params: Type.Object({
    queue_id: Type.String({ description: 'Any value: client state does not belong to a queue' }),
  }),
})
const query = Type.Object({ key: Type.String({ maxLength: MAX_CLIENT_STATE_KEY_LENGTH }) })

/** Reads data that a client stores for itself. Tagged `app`, because its responses do not depend on images. */
export const getClientState = define('GET', '/api/v1/client_state/{queue_id}/get_by_key', {
  operationId: 'get_client_state_by_key',
  summary: 'Returns the text that a client stored under a key, or null',
  query,
  answers: { 200: Nullable(Type.String()) },
})

export const setClientState = define('POST', '/api/v1/client_state/{queue_id}/set_by_key', {
  operationId: 'set_client_state',
  summary: 'Stores a text under a key, replaces the previous text, and returns it',
  query,
  text: Type.String({ maxLength: MAX_CLIENT_STATE_LENGTH }),
  answers: { 200: Type.String() },
  refusals: ['body_too_large', 'disk_full'],
})

export const listClientStateKeys = define(
  'GET',
  '/api/v1/client_state/{queue_id}/get_keys_by_prefix',
  {
    operationId: 'get_client_state_keys_by_prefix',
    summary: 'Lists the keys with a prefix in order',
    query: Type.Object({ prefix: Type.String({ maxLength: MAX_CLIENT_STATE_KEY_LENGTH }) }),
    answers: { 200: Type.Array(Type.String()) },
  },
)

export const deleteClientStateKey = define(
  'POST',
  '/api/v1/client_state/{queue_id}/delete_by_key',
  {
    operationId: 'delete_client_state_by_key',
    summary: 'Deletes a key. An unknown key is not an error',
    query,
    answers: { 200: Type.Null() },
  },
)

export const deleteClientState = define('POST', '/api/v1/client_state/{queue_id}/delete', {
  operationId: 'delete_client_state',
  summary: 'Deletes all keys',
  answers: { 200: Type.Null() },
})
