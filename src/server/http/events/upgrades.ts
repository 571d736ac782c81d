import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route can hand a connection over to another protocol. */
    takesUpgrade?: true
  }
}

/** A connection that is to speak another protocol from now on. */
export interface Upgrade {
  stream: Duplex
  /** What has come in behind the request. */
  head: Buffer
}

interface Pending extends Upgrade {
  response: ServerResponse
}

const pending = new WeakMap<IncomingMessage, Pending>()

/** For Node's `shouldUpgradeCallback`: an offer of HTTP/2 is passed over, and the request answered as it is. */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Leads requests for an upgrade through the same hooks and routes as all others, so that the same
 * guards and limits hold and a refusal is an ordinary answer. A route that takes one says so in its
 * config and calls `takeUpgrade`. To be registered behind the guards.
 */
export function registerUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => {}) // whoever hung up gets no answer
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(stream as Socket)
    response.once('finish', () => {
      response.detachSocket(stream as Socket)
      stream.end(() => stream.destroy())
    })
    pending.set(request, { stream, head, response })
    app.routing(request, response)
  })

  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (pending.has(raw) && !routeOptions.config.takesUpgrade) throw new Refusal('not_found')
  })
}

/** The connection of a request that asked for an upgrade, now the caller's own; null: it asked for none. */
export function takeUpgrade({ raw }: FastifyRequest): Upgrade | null {
  const upgrade = pending.get(raw)
  if (upgrade === undefined) return null
  pending.delete(raw)
  upgrade.response.detachSocket(upgrade.stream as Socket)
  return upgrade
}
