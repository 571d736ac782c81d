import Type, { type Static } from 'typebox'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'

const define = operationsOf({ tag: 'app', extension: true })

/** Probes of proxies and schedulers ask often and without a token. They learn nothing about the images. */
const forProbes = { limit: 'exempt', isPublic: true } as const

/** Health of a server. A response means that the process is alive. */
export const Health = Type.Object({
  status: Type.Enum(['ok', 'read_only', 'away'], {
    description:
      '`read_only` if reads work and changes are refused, `away` if the data folder is not there',
  }),
  detail: Nullable(Type.String({ description: 'Reason if the status is not `ok`' })),
  version: Type.String(),
})
export type Health = Static<typeof Health>

export const ReadinessCheck = Type.Object({
  name: Type.String({ examples: ['database', 'files', 'redis'] }),
  status: Type.Enum(['ok', 'failed', 'no_answer']),
  ms: Type.Integer({ description: 'Time until its answer, in milliseconds' }),
})
export type ReadinessCheck = Static<typeof ReadinessCheck>

/** Readiness of a server for requests, and the state of each server that it needs. */
export const Readiness = Type.Object({
  status: Type.Enum(['ready', 'not_ready', 'stopping']),
  checks: Type.Array(ReadinessCheck),
})
export type Readiness = Static<typeof Readiness>

export const getHealth = define('GET', '/api/v1/health', {
  operationId: 'health',
  summary: 'Returns 200 while the process is alive. Asks neither the database nor the files',
  answers: { 200: Health },
  ...forProbes,
})

export const getReadiness = define('GET', '/api/v1/ready', {
  operationId: 'readiness',
  summary:
    'Returns 200 if database and files answer, within two seconds. Otherwise, or while the server stops, 503 with the same body',
  answers: { 200: Readiness, 503: Readiness },
  ...forProbes,
})

export const checkLibrary = define('GET', '/api/v1/app/library', {
  operationId: 'check_library',
  summary:
    'Returns 200 if the database answers. Other operations tell a client the same, but count in a limit',
  answers: { 200: Type.Null() },
  limit: 'poll',
})
