import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** An address that can be opened: one that stands for all addresses is shown as this machine's. */
export function addressOf(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Lets requests under way finish, and cuts what has not by then. */
export async function closeWithin(app: FastifyInstance, finishMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), finishMs)
  await app.close()
  clearTimeout(cut)
}
