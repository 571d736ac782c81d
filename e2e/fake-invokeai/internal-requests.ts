import type { FastifyRequest } from 'fastify'

/** Header of the fake's own requests, which receive Tessera's answers at once. */
export const INTERNAL_HEADER = 'x-fake-internal'

export const isInternal = ({ headers }: FastifyRequest): boolean => INTERNAL_HEADER in headers

/** A JSON object of a request or an answer. */
export type Fields = Record<string, unknown>
