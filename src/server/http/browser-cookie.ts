import type { FastifyReply, FastifyRequest } from 'fastify'

const YEAR_S = 365 * 24 * 3600

/**
 * A cookie that a browser keeps for a year. Requires `@fastify/cookie`.
 *
 * @param prefix - Start of the name. Cookies ignore ports, so the name contains the port of the address that the browser
 *   uses: two servers on one host must not replace each other's cookie, and processes behind one proxy share theirs.
 */
export const browserCookie = (prefix: string) => {
  const nameOf = ({ port, protocol }: FastifyRequest) =>
    `${prefix}_${port ?? (protocol === 'https' ? 443 : 80)}`
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
