import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { hostNameOf } from './host-guard.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const isLoopback = (address = ''): boolean => {
  const family = isIP(address)
  // Checks an IPv4-mapped IPv6 address as IPv4.
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * True if the client runs on this machine: a loopback connection with a loopback host name and without proxy headers.
 * A request through a local proxy, even a trusted one, may come from anywhere.
 */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  const name = hostNameOf(headers.host ?? '')
  return (
    isLoopback(socket.remoteAddress) &&
    (name === 'localhost' || isLoopback(name)) &&
    proxyHeaders.every((header) => headers[header] === undefined)
  )
}

/** Refuses remote clients before the body is read. */
export const assertFromThisMachine = async (request: FastifyRequest): Promise<void> => {
  if (!isFromThisMachine(request)) throw new Refusal('not_on_this_machine')
}
