import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'
import { EVENTS_PATH, type ServerEvent } from '#contract/events.ts'

/** A raw WebSocket as a script or a browser opens it. */
export class EventPeer {
  readonly socket: WebSocket
  readonly #frames: ServerEvent[] = []
  readonly #closed: Promise<number>
  /** Number of empty frames received. */
  answersToProbes = 0
  #onFrame = () => {}

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (text) => {
      const frame = String(text)
      if (frame === '') {
        this.answersToProbes += 1
        return
      }
      this.#frames.push(JSON.parse(frame))
      this.#onFrame()
    })
    this.#closed = new Promise((resolve) => socket.on('close', resolve))
  }

  /** @throws {RefusedUpgrade} The server did not accept the upgrade. */
  static async open(
    url: string,
    query: Record<string, string> = {},
    options: ClientOptions = {},
  ): Promise<EventPeer> {
    const address = `${url.replace('http', 'ws')}${EVENTS_PATH}?${new URLSearchParams(query)}`
    const socket = new WebSocket(address, options)
    const peer = new EventPeer(socket)
    socket.on('unexpected-response', (request, answer) => {
      const code = String(answer.headers['x-refusal-code'])
      request.destroy()
      socket.emit('error', new RefusedUpgrade(answer.statusCode ?? 0, code))
    })
    await once(socket, 'open')
    return peer
  }

  /** Returns the first `count` events in the order in which they arrived. */
  async events(count: number): Promise<ServerEvent[]> {
    while (this.#frames.length < count) {
      await new Promise<void>((resolve) => {
        this.#onFrame = resolve
      })
    }
    return this.#frames.slice(0, count)
  }

  /** Returns the first event of this name. Others may precede it, such as those of an earlier queue item. */
  async first<N extends ServerEvent['event']>(
    name: N,
  ): Promise<Extract<ServerEvent, { event: N }>> {
    const hasName = (event: ServerEvent | undefined): event is Extract<ServerEvent, { event: N }> =>
      event?.event === name
    for (let count = 1; ; count++) {
      const event = (await this.events(count)).at(-1)
      if (hasName(event)) return event
    }
  }

  /** Resolves with the close code of the socket. */
  closed(): Promise<number> {
    return this.#closed
  }
}

/** The server did not accept a request for an upgrade. */
export class RefusedUpgrade extends Error {
  override readonly name = 'RefusedUpgrade'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}
