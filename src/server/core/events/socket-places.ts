import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import type { EventClient } from './event-hub.ts'

export type SocketKind = 'raw' | 'Socket.IO'

/** Limits sockets: one per client and kind, because the page and a script run side by side, and sixteen per address. */
export interface SocketPlaces {
  /**
   * True if `take` would succeed.
   *
   * @throws {Refusal} `redis_down`.
   */
  hasRoom(kind: SocketKind, client: EventClient): Promise<boolean>
  /**
   * Takes the place of a client, replacing its older socket.
   *
   * @param replace - Closes this socket when a newer one of the same client replaces it.
   * @returns A function that releases the place; null if the address has no free place.
   * @throws {Refusal} `redis_down`.
   */
  take(kind: SocketKind, client: EventClient, replace: () => void): Promise<(() => void) | null>
}

/** The name of a client's place. A named client has one place at all of its addresses. */
export const placeName = (kind: SocketKind, { address, clientId }: EventClient): string =>
  clientId === null ? `${kind} at ${address}` : `${kind} of ${clientId}`

interface Place {
  address: string
  replace: () => void
}

/** The sockets of a single process. */
export class LocalSocketPlaces implements SocketPlaces {
  readonly #places = new Map<string, Place>()

  async hasRoom(kind: SocketKind, client: EventClient): Promise<boolean> {
    return this.#hasRoom(placeName(kind, client), client)
  }

  async take(kind: SocketKind, client: EventClient, replace: () => void) {
    const name = placeName(kind, client)
    if (!this.#hasRoom(name, client)) return null
    const place = { address: client.address, replace }
    const older = this.#places.get(name)
    this.#places.set(name, place)
    older?.replace()
    return () => {
      if (this.#places.get(name) === place) this.#places.delete(name)
    }
  }

  #hasRoom(name: string, client: EventClient): boolean {
    let others = 0
    for (const [taken, { address }] of this.#places) {
      if (address === client.address && taken !== name) others += 1
    }
    return others < MAX_SOCKETS_PER_ADDRESS
  }
}
