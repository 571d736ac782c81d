import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { takeUpgrade } from '#server/http/events/event-routes.ts'
import { endWithClient, type ProxyContext, toUpstreamRequest } from './forward-request.ts'
import { upstreamRefusal } from './upstream-refusal.ts'

const MAX_SOCKETS = 64

/** Socket.IO pings every 25 seconds, so a connection that is silent for longer is dead. */
const SILENCE_MS = 120_000

const handshake = [
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
] as const

const accepted = [
  'sec-websocket-accept',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
] as const

/** Forwarded WebSockets. Bytes are piped between both sides and not inspected. */
export class SocketTunnels {
  readonly #open = new Set<Duplex>()
  /** Connections to an upstream that went down, with their `bytesRead` at that time. */
  readonly #silent = new Map<Socket, number>()
  readonly #upstreams = new Set<Socket>()

  /**
   * Opens the same WebSocket on the upstream and connects both sides.
   *
   * @throws {Refusal} The upstream is unavailable or refuses it.
   */
  async open(context: ProxyContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#open.size >= MAX_SOCKETS) {
      throw new Refusal('upstream_busy', 'Too many connections for events.')
    }
    const { origin } = context.upstream.address
    const upstreamRequest = toUpstreamRequest(context, request)
    for (const name of handshake) {
      const value = request.headers[name]
      if (value !== undefined) upstreamRequest.headers[name] = value
    }
    Object.assign(upstreamRequest.headers, { connection: 'Upgrade', upgrade: 'websocket' })
    const outgoing = context.upstream.open(upstreamRequest)
    endWithClient(outgoing, reply)
    outgoing.end()
    try {
      const { answer, socket, head } = await upgradeOf(outgoing, origin)
      const client = takeUpgrade(request)
      if (client === null || client.stream.destroyed) return void socket.destroy()
      reply.hijack()
      client.stream.write(headOf(answer))
      client.stream.write(head)
      socket.write(client.head)
      this.#join(client.stream as Socket, socket)
    } catch (error) {
      if (!(error instanceof Refusal) && !reply.raw.destroyed) context.onOutcome('failed')
      throw upstreamRefusal(origin, error)
    }
  }

  /** Records all connections when the upstream goes down: they may be dead without a TCP reset. */
  markSilent(): void {
    for (const socket of this.#upstreams) this.#silent.set(socket, socket.bytesRead)
  }

  /** Closes recorded connections that received nothing since the upstream went down, so that clients reconnect. */
  closeSilent(): void {
    for (const [socket, bytesRead] of this.#silent) {
      if (socket.bytesRead === bytesRead) socket.destroy()
    }
    this.#silent.clear()
  }

  close(): void {
    for (const stream of this.#open) stream.destroy()
  }

  #join(client: Socket, upstream: Socket): void {
    this.#open.add(client)
    this.#upstreams.add(upstream)
    upstream.once('close', () => {
      this.#upstreams.delete(upstream)
      this.#silent.delete(upstream)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay(true)
      one.setTimeout(SILENCE_MS, () => one.destroy())
      one.on('error', () => {}) // 'close' follows, which is handled below
      one.once('close', () => {
        this.#open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }
}

interface Upgraded {
  answer: IncomingMessage
  socket: Socket
  head: Buffer
}

/** @throws {Refusal} The upstream does not upgrade the connection. */
function upgradeOf(outgoing: ClientRequest, origin: string): Promise<Upgraded> {
  return new Promise((resolve, reject) => {
    outgoing.once('upgrade', (answer, socket, head) =>
      resolve({ answer, socket: socket as Socket, head }),
    )
    outgoing.once('response', (answer) => {
      answer.destroy()
      const isLogin = answer.statusCode === 401 || answer.statusCode === 403
      const code = isLogin ? 'login_required' : 'upstream_answer_refused'
      reject(new Refusal(code, `${origin} opens no connection for events (${answer.statusCode}).`))
    })
    outgoing.on('error', reject)
  })
}

/** Builds the response head of the handshake for the client. */
function headOf({ headers }: IncomingMessage): string {
  const lines = accepted.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [`${name}: ${value}\r\n`]
  })
  return `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${lines.join('')}\r\n`
}
