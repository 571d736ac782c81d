import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { hostNameOf } from './host-guard.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const isLoopback = (address = ''): boolean => {
  const family = isIP(address)
  // An IPv4 address in IPv6's form is checked as IPv4.
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** What a proxy adds. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether whoever asks sits at this machine: the connection comes from it, to a name that means it. What
 * came through a proxy here, even a trusted one, may be anybody's.
 */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  const name = hostNameOf(headers.host ?? '')
  return (
    isLoopback(socket.remoteAddress) &&
    (name === 'localhost' || isLoopback(name)) &&
    proxyHeaders.every((header) => headers[header] === undefined)
  )
}

/** Refuses everybody else, before anything of the request is read. */
export const assertFromThisMachine = async (request: FastifyRequest): Promise<void> => {
  if (!isFromThisMachine(request)) throw new Refusal('not_on_this_machine')
}
