import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'

export type Resolve = (hostName: string) => Promise<LookupAddress[]>

const resolveBySystem: Resolve = (hostName) => lookup(hostName, { all: true })

/**
 * Resolves one name once and pins its addresses, so that a later change of the DNS record (DNS rebinding) redirects
 * no connection. A failed lookup is repeated.
 */
export function pinnedLookup(ofHost: string, resolve: Resolve = resolveBySystem): LookupFunction {
  let known: Promise<[LookupAddress, ...LookupAddress[]]> | null = null
  const find = async (): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = (await resolve(ofHost)).filter(({ address }) => isIP(address) !== 0)
    if (first === undefined) throw new LookupError(ofHost)
    return [first, ...others]
  }
  return (hostName, { all }, callback) => {
    if (hostName !== ofHost) {
      callback(new LookupError(hostName), '')
      return
    }
    known ??= find().catch((error: unknown) => {
      known = null
      throw error
    })
    known.then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0].address, addresses[0].family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

class LookupError extends Error {
  readonly code = 'ENOTFOUND'

  constructor(hostName: string) {
    super(`no address of ${hostName} is known`)
  }
}
