import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'

/** The client that opens a socket. */
export interface SocketCaller {
  /** Address used for limits. */
  address: string
  /** Name given by the client; null: identified by its address. */
  clientId: string | null
}

interface Place extends SocketCaller {
  replace: () => void
}

/** Limits sockets: one per client and kind, because the page and a script run side by side, and sixteen per address. */
export class SocketPlaces {
  readonly #places = new Map<string, Place>()

  /** True if `take` would succeed. */
  hasRoom(kind: string, caller: SocketCaller): boolean {
    const key = keyOf(kind, caller)
    let others = 0
    for (const [taken, { address }] of this.#places) {
      if (address === caller.address && taken !== key) others += 1
    }
    return others < MAX_SOCKETS_PER_ADDRESS
  }

  /**
   * Takes the place of a client, replacing its older socket.
   *
   * @param replace - Closes this socket when a newer one of the same client replaces it.
   * @returns A function that releases the place; null if the address has no free place.
   */
  take(kind: string, caller: SocketCaller, replace: () => void): (() => void) | null {
    if (!this.hasRoom(kind, caller)) return null
    const key = keyOf(kind, caller)
    const place = { ...caller, replace }
    const older = this.#places.get(key)
    this.#places.set(key, place)
    older?.replace()
    return () => {
      if (this.#places.get(key) === place) this.#places.delete(key)
    }
  }
}

const keyOf = (kind: string, { address, clientId }: SocketCaller): string =>
  clientId === null ? `${kind} at ${address}` : `${kind} of ${clientId}`
