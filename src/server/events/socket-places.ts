import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import type { EventClient } from '#server/core/events/event-hub.ts'

interface Place extends EventClient {
  replace: () => void
}

/** Limits sockets: one per client and kind, because the page and a script run side by side, and sixteen per address. */
export class SocketPlaces {
  readonly #places = new Map<string, Place>()

  /** True if `take` would succeed. */
  hasRoom(kind: string, client: EventClient): boolean {
    const key = keyOf(kind, client)
    let others = 0
    for (const [taken, { address }] of this.#places) {
      if (address === client.address && taken !== key) others += 1
    }
    return others < MAX_SOCKETS_PER_ADDRESS
  }

  /**
   * Takes the place of a client, replacing its older socket.
   *
   * @param replace - Closes this socket when a newer one of the same client replaces it.
   * @returns A function that releases the place; null if the address has no free place.
   */
  take(kind: string, client: EventClient, replace: () => void): (() => void) | null {
    if (!this.hasRoom(kind, client)) return null
    const key = keyOf(kind, client)
    const place = { ...client, replace }
    const older = this.#places.get(key)
    this.#places.set(key, place)
    older?.replace()
    return () => {
      if (this.#places.get(key) === place) this.#places.delete(key)
    }
  }
}

const keyOf = (kind: string, { address, clientId }: EventClient): string =>
  clientId === null ? `${kind} at ${address}` : `${kind} of ${clientId}`
