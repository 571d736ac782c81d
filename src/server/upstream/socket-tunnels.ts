import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { takeUpgrade } from '#server/http/events/event-routes.ts'
import { endWithClient, type Passing, upstreamRequest } from './pass-on.ts'
import { upstreamRefusal } from './upstream-refusal.ts'

/** WebSockets at once. */
const MAX_SOCKETS = 64

/** Socket.IO pings every 25 seconds; who is silent for longer is gone. */
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

/** The WebSockets that are passed on: bytes from one side to the other, neither read nor kept. */
export class SocketTunnels {
  readonly #open = new Set<Duplex>()
  /** Lines to an upstream that is silent, with what they had read by then. */
  readonly #doubted = new Map<Socket, number>()
  readonly #upstreams = new Set<Socket>()

  /**
   * Opens the same WebSocket on the upstream, and joins the two.
   *
   * @throws {Refusal} It cannot be had, or the upstream refuses it.
   */
  async pass(passing: Passing, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#open.size >= MAX_SOCKETS) {
      throw new Refusal('upstream_busy', 'Too many connections for events.')
    }
    const { origin } = passing.upstream.address
    const asked = upstreamRequest(passing, request)
    for (const name of handshake) {
      const value = request.headers[name]
      if (value !== undefined) asked.headers[name] = value
    }
    Object.assign(asked.headers, { connection: 'Upgrade', upgrade: 'websocket' })
    const outgoing = passing.upstream.open(asked)
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
      if (!(error instanceof Refusal) && !reply.raw.destroyed) passing.heard('failed')
      throw upstreamRefusal(origin, error)
    }
  }

  /** The upstream has fallen silent: the lines to it may be dead without a word. */
  doubt(): void {
    for (const socket of this.#upstreams) this.#doubted.set(socket, socket.bytesRead)
  }

  /** It answers again. What has still not come by a line is asked for, so a line that tells nothing ends. */
  cutDoubted(): void {
    for (const [socket, bytesRead] of this.#doubted) {
      if (socket.bytesRead === bytesRead) socket.destroy()
    }
    this.#doubted.clear()
  }

  /** Cuts all. */
  close(): void {
    for (const stream of this.#open) stream.destroy()
  }

  #join(client: Socket, upstream: Socket): void {
    this.#open.add(client)
    this.#upstreams.add(upstream)
    upstream.once('close', () => {
      this.#upstreams.delete(upstream)
      this.#doubted.delete(upstream)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay(true)
      one.setTimeout(SILENCE_MS, () => one.destroy())
      one.on('error', () => {}) // its end is all that matters
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

/** @throws {Refusal} The upstream answers with something else. */
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

/** What the client hears of the handshake. */
function headOf({ headers }: IncomingMessage): string {
  const lines = accepted.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [`${name}: ${value}\r\n`]
  })
  return `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${lines.join('')}\r\n`
}
