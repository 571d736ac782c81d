import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EVENTS_PATH, EventsQuery, SOCKET_IO_PATH } from '#contract/events.ts'
import { Refusal } from '#server/core/refusal.ts'
import { FaultList, ValidationFailure } from '#server/http/validation/fault-list.ts'
import { readQuery } from '#server/http/validation/read-query.ts'

/** Who opens a connection. */
interface Caller {
  /** The address as limits count it. */
  address: string
  /** The name that the client gave itself; null: it is known by its address. */
  clientId: string | null
}

interface Connections {
  /** Whether there is a place for a further connection. */
  hasRoom(caller: Caller): boolean
  accept(request: IncomingMessage, stream: Duplex, head: Buffer, caller: Caller): void
}

/** What carries events to clients, once a request has passed the guards. */
export interface EventConnections {
  raw: Connections
  socketIo: Connections & {
    handleRequest(request: IncomingMessage, response: ServerResponse, caller: Caller): void
  }
  close(): Promise<void>
}

/** Serves events on `/ws` (spec 6) and `/ws/socket.io` (wire 6). They end when the server stops. */
export function registerEventRoutes(app: FastifyInstance, connections: EventConnections): void {
  const route = { schema: { hide: true }, config: { limit: 'poll', takesUpgrade: true } } as const
  const { raw, socketIo } = connections

  app.get(EVENTS_PATH, route, async (request, reply) => {
    const caller = callerOf(request)
    assertRoom(raw, caller)
    const upgrade = takeUpgrade(request)
    if (upgrade === null) {
      reply.header('upgrade', 'websocket')
      throw new Refusal('upgrade_required')
    }
    reply.hijack()
    raw.accept(request.raw, upgrade.stream, upgrade.head, caller)
  })

  app.route({
    ...route,
    method: ['GET', 'POST'],
    url: SOCKET_IO_PATH,
    // Not in the handler: Engine.IO reads bodies itself.
    onRequest: async (request, reply) => {
      const caller = callerOf(request)
      const isNew = !(request.query as { sid?: unknown }).sid
      if (isNew) assertRoom(socketIo, caller)
      const upgrade = takeUpgrade(request)
      const headers = Object.entries(reply.getHeaders())
      reply.hijack()
      if (upgrade) {
        socketIo.accept(request.raw, upgrade.stream, upgrade.head, caller)
      } else {
        for (const [name, value = ''] of headers) reply.raw.setHeader(name, value)
        socketIo.handleRequest(request.raw, reply.raw, caller)
      }
    },
    handler: () => {
      throw new Error('Engine.IO has answered')
    },
  })

  app.addHook('preClose', () => connections.close())
}

/** @throws {Refusal} `rate_limited`: the address holds as many connections as it may. */
function assertRoom(connections: Connections, caller: Caller): void {
  if (connections.hasRoom(caller)) return
  throw new Refusal('rate_limited', 'Too many connections for events from this address.')
}

/** @throws {ValidationFailure} The client's name for itself is too long. */
function callerOf(request: FastifyRequest): Caller {
  const found = new FaultList()
  const query = readQuery(EventsQuery, request.query as Record<string, string | string[]>, found)
  if (found.all.length > 0) throw new ValidationFailure(found.all)
  const { client_id } = query as EventsQuery
  return { address: normalizeIP(request.ip), clientId: client_id || null }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route can hand a connection over to another protocol. */
    takesUpgrade?: true
  }
}

/** A connection that is to speak another protocol from now on. */
interface Upgrade {
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
