import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EVENTS_PATH, EventsQuery, SOCKET_IO_PATH } from '#contract/events.ts'
import type { EventClient } from '#server/core/events/event-hub.ts'
import { Refusal } from '#server/core/refusal.ts'
import { FaultList, ValidationFailure } from '#server/core/validation/fault-list.ts'
import { readQuery } from '#server/http/validation/read-query.ts'

interface Connections {
  /**
   * True if the client may open another connection.
   *
   * @throws {Refusal} `redis_down`.
   */
  hasRoom(client: EventClient): Promise<boolean>
  accept(request: IncomingMessage, stream: Duplex, head: Buffer, client: EventClient): void
}

/** Accepts WebSocket and Socket.IO connections after a request has passed the guards. */
export interface EventConnections {
  raw: Connections
  socketIo: Connections & {
    handleRequest(request: IncomingMessage, response: ServerResponse, client: EventClient): void
  }
  /** False while events may be missing, so that connections are refused. */
  readonly isConnected: boolean
  close(): Promise<void>
}

/** Serves events on `/ws` (plain WebSocket) and `/ws/socket.io` (InvokeAI's events). Closes connections on shutdown. */
export function registerEventRoutes(app: FastifyInstance, connections: EventConnections): void {
  const route = { schema: { hide: true }, config: { limit: 'poll', takesUpgrade: true } } as const
  const { raw, socketIo } = connections

  /** @throws {Refusal} `rate_limited`: the address has reached its number of connections. `redis_down`. */
  const assertRoom = async (kind: Connections, client: EventClient): Promise<void> => {
    const hasRoom = await kind.hasRoom(client)
    if (!connections.isConnected) throw new Refusal('redis_down')
    if (hasRoom) return
    throw new Refusal('rate_limited', 'Too many connections for events from this address.')
  }

  app.get(EVENTS_PATH, route, async (request, reply) => {
    const client = clientOf(request)
    await assertRoom(raw, client)
    const upgrade = takeUpgrade(request)
    if (upgrade === null) {
      reply.header('upgrade', 'websocket')
      throw new Refusal('upgrade_required')
    }
    reply.hijack()
    raw.accept(request.raw, upgrade.stream, upgrade.head, client)
  })

  app.route({
    ...route,
    method: ['GET', 'POST'],
    url: SOCKET_IO_PATH,
    // In `onRequest`, because Engine.IO reads the body itself.
    onRequest: async (request, reply) => {
      const client = clientOf(request)
      const isNew = !(request.query as { sid?: unknown }).sid
      if (isNew) await assertRoom(socketIo, client)
      const upgrade = takeUpgrade(request)
      const headers = Object.entries(reply.getHeaders())
      reply.hijack()
      if (upgrade) {
        socketIo.accept(request.raw, upgrade.stream, upgrade.head, client)
      } else {
        for (const [name, value = ''] of headers) reply.raw.setHeader(name, value)
        socketIo.handleRequest(request.raw, reply.raw, client)
      }
    },
    handler: () => {
      throw new Error('Engine.IO has answered')
    },
  })

  app.addHook('preClose', () => connections.close())
}

/** @throws {ValidationFailure} `client_id` is too long. */
function clientOf(request: FastifyRequest): EventClient {
  const found = new FaultList()
  const query = readQuery(EventsQuery, request.query as Record<string, string | string[]>, found)
  if (found.all.length > 0) throw new ValidationFailure(found.all)
  const { client_id, changes: hasChanges = false } = query as EventsQuery
  return { address: normalizeIP(request.ip), clientId: client_id || null, hasChanges }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route accepts protocol upgrades. */
    takesUpgrade?: true
  }
}

/** A connection that changes its protocol. */
interface Upgrade {
  stream: Duplex
  /** Bytes that arrived after the request headers. */
  head: Buffer
}

interface Pending extends Upgrade {
  response: ServerResponse
}

const pending = new WeakMap<IncomingMessage, Pending>()

/** For Node's `shouldUpgradeCallback`: other upgrade offers, such as HTTP/2, are answered over HTTP/1.1. */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Passes upgrade requests through the same hooks and routes as all other requests, so that the guards and limits
 * apply and a refusal is an ordinary response. A route that accepts upgrades sets `takesUpgrade` in its config and
 * calls `takeUpgrade`. Register this after the guards.
 */
export function registerUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => {}) // a disconnected client needs no response
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

/** Takes over the connection of an upgrade request. Returns null if the request asked for no upgrade. */
export function takeUpgrade({ raw }: FastifyRequest): Upgrade | null {
  const upgrade = pending.get(raw)
  if (upgrade === undefined) return null
  pending.delete(raw)
  upgrade.response.detachSocket(upgrade.stream as Socket)
  return upgrade
}
