import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Returns an address that can be opened. A wildcard address is replaced by `localhost`. */
export function addressOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Time for active work to finish when a server closes. */
export const FINISH_MS = 2_500

/** Lets active requests finish for `FINISH_MS`, then terminates them. */
export async function closeInTime(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  await app.close()
  clearTimeout(cut)
}
