import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * Who sends a request, as limits count it: the holder of the configured token, else an address. Any other
 * token says nothing, or a client could make itself a new one for each request.
 */
export const clientOf =
  (hasToken: (request: FastifyRequest) => boolean) =>
  (request: FastifyRequest): string =>
    hasToken(request) ? 'token' : normalizeIP(request.ip)
