import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export const REQUEST_ID_HEADER = 'x-request-id'

/** Characters that cannot break a log line or a header. UUIDs and the IDs of common proxies fit. */
const saneId = /^[\w.:/+=@-]{1,128}$/

/**
 * Returns a function that names a request: by the header of a trusted proxy, so that its log and ours can be
 * compared, or else by a new ID. Other clients could write the IDs of others into the log.
 *
 * @param trustedProxies - Addresses and networks, such as `10.0.0.0/8`.
 */
export function requestIdOf(trustedProxies: readonly string[]): (raw: IncomingMessage) => string {
  const proxies = new BlockList()
  for (const text of trustedProxies) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  const isProxy = (address = ''): boolean => {
    const version = isIP(address)
    return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER]
    const isUsable = typeof given === 'string' && saneId.test(given)
    return isUsable && isProxy(socket.remoteAddress) ? given : randomUUID()
  }
}
