import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Returns an address that can be opened. A wildcard address is replaced by `localhost`. */
export function addressOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Lets active requests finish for this time, then terminates them. */
export async function closeWithin(app: FastifyInstance, finishMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), finishMs)
  await app.close()
  clearTimeout(cut)
}
