import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'

/** Who opens a socket. */
export interface SocketCaller {
  /** The address as limits count it. */
  address: string
  /** The name that the client gave itself; null: it is known by its address. */
  clientId: string | null
}

interface Place extends SocketCaller {
  replace: () => void
}

/**
 * Counts sockets: one a client in each kind, since the page and a script live together, and sixteen an
 * address (spec 8, design 4).
 */
export class SocketPlaces {
  readonly #places = new Map<string, Place>()

  /** Whether `take` would give a place. */
  hasRoom(kind: string, caller: SocketCaller): boolean {
    const key = keyOf(kind, caller)
    let others = 0
    for (const [taken, { address }] of this.#places) {
      if (address === caller.address && taken !== key) others += 1
    }
    return others < MAX_SOCKETS_PER_ADDRESS
  }

  /**
   * Takes a client's one place, from its older socket where there is one.
   *
   * @param replace - Closes this socket, when a newer one of the same client takes its place.
   * @returns What gives the place back; null where the address has no room.
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
