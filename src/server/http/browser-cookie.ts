import type { FastifyReply, FastifyRequest } from 'fastify'

const YEAR_S = 365 * 24 * 3600

/**
 * A cookie that a browser keeps for a year. Requires `@fastify/cookie`.
 *
 * @param prefix - Start of the name. Cookies ignore ports, so the name contains the port: two servers on one host must
 *   not replace each other's cookie.
 */
export const browserCookie = (prefix: string) => {
  const nameOf = (request: FastifyRequest) => `${prefix}_${request.socket.localPort ?? 0}`
  return {
    get: (request: FastifyRequest): string | undefined => request.cookies[nameOf(request)],
    set: (request: FastifyRequest, reply: FastifyReply, value: string): void => {
      reply.setCookie(nameOf(request), value, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
        maxAge: YEAR_S,
      })
    },
  }
}
