import type { EventSocketClass } from '#client/events/event-socket.ts'
import type { Fetch } from '#client/index.ts'
import type { SeededRandom } from '#demo/seeded-random.ts'

/** Longest delay of an answer or an event, in milliseconds. */
const MAX_DELAY_MS = 120

/** Longest life of a socket, in milliseconds. */
const MAX_SOCKET_MS = 1_500

// A test may replace the global one by this line.
const fetchOfNode = globalThis.fetch

/**
 * A bad connection of one client: requests and answers get lost, events are lost, doubled and late, so that they
 * overtake each other, and sockets break.
 */
export class UnsteadyLine {
  /** False: everything arrives once and in order from now on. */
  isBad = true
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  readonly fetch: Fetch = async (url, init) => {
    if (this.#happens(0.05)) throw new TypeError('The request was lost.')
    const answer = await fetchOfNode(url, init)
    await new Promise((resolve) => setTimeout(resolve, this.#delayMs()))
    if (!this.#happens(0.05)) return answer
    await answer.body?.cancel()
    throw new TypeError('The answer was lost.')
  }

  /** The platform's `WebSocket` on this line. */
  get WebSocket(): EventSocketClass {
    const isBad = () => this.isBad
    const lifeMs = () => this.#random.integer(50, MAX_SOCKET_MS)
    const deliver = (arrive: () => void) => this.#deliver(arrive)
    return class extends globalThis.WebSocket {
      constructor(url: string) {
        super(url)
        if (isBad()) setTimeout(() => this.close(), lifeMs())
      }

      override addEventListener(type: string, listener: unknown, options?: unknown): void {
        const call = listener as (event: Event) => void
        const late = (event: Event) => deliver(() => call(event))
        const how = options as AddEventListenerOptions | undefined
        super.addEventListener(type, type === 'message' ? late : call, how)
      }
    }
  }

  #deliver(arrive: () => void): void {
    const times = this.#happens(0.25) ? 0 : this.#happens(0.25) ? 2 : 1
    for (let time = 0; time < times; time += 1) setTimeout(arrive, this.#delayMs())
  }

  #happens(probability: number): boolean {
    return this.isBad && this.#random.isLikely(probability)
  }

  #delayMs(): number {
    return this.isBad ? this.#random.integer(0, MAX_DELAY_MS) : 0
  }
}
