/** A page of a view as the server gave it, from `offset` on. */
interface PageOfNames {
  readonly offset: number
  readonly names: readonly string[]
}

/**
 * Where images that are on their way out of a view stand on the server, which still has them. What is
 * shown is the server's view without them, so a position that is shown is a later one there.
 */
export class RemovalPositions {
  readonly #positions = new Map<string, number>()
  #ascending: number[] | null = null
  #version = 0

  /** How many images of the view are leaving, as far as their positions are known. */
  get size(): number {
    return this.#positions.size
  }

  /** Another one whenever positions on the server have become others. */
  get version(): number {
    return this.#version
  }

  /**
   * Where the server has what is shown at some positions.
   *
   * @param shown - Ascending.
   */
  onServer(shown: readonly number[]): number[] {
    this.#ascending ??= [...this.#positions.values()].sort((a, b) => a - b)
    const leaving = this.#ascending
    let before = 0
    return shown.map((position) => {
      while ((leaving[before] ?? Number.POSITIVE_INFINITY) <= position + before) before += 1
      return position + before
    })
  }

  /**
   * Images begin to leave.
   *
   * @param shownAt - The positions that they were shown at, ascending.
   */
  add(names: readonly string[], shownAt: readonly number[]): void {
    const positions = this.onServer(shownAt)
    names.forEach((name, at) => {
      const position = positions[at]
      if (position !== undefined) this.#positions.set(name, position)
    })
    this.#ascending = null
  }

  /** Believes a page of the server more than what was reckoned. */
  learn({ offset, names }: PageOfNames, isLeaving: (name: string) => boolean): void {
    const found = new Map<string, number>()
    names.forEach((name, at) => {
      if (isLeaving(name)) found.set(name, offset + at)
    })
    const shift = this.#shiftOf(found)
    const end = offset + names.length
    for (const [name, position] of [...this.#positions]) {
      const shifted = position + shift
      if (shifted < offset || shifted >= end) this.#positions.set(name, shifted)
      else this.#positions.delete(name)
    }
    for (const [name, position] of found) this.#positions.set(name, position)
    this.#ascending = null
  }

  /** How far something that came in or went elsewhere has moved the images that are leaving. */
  #shiftOf(found: ReadonlyMap<string, number>): number {
    for (const [name, position] of found) {
      const before = this.#positions.get(name)
      if (before !== undefined) return position - before
    }
    return 0
  }

  /** They stay after all. */
  forget(names: ReadonlySet<string>): void {
    for (const name of names) this.#positions.delete(name)
    this.#ascending = null
  }

  /** The server has them no more: all that came after them has moved up. */
  confirm(names: ReadonlySet<string>): void {
    const gone: number[] = []
    for (const name of names) {
      const position = this.#positions.get(name)
      if (position === undefined) continue
      this.#positions.delete(name)
      gone.push(position)
    }
    gone.sort((a, b) => a - b)
    let before = 0
    for (const [name, position] of [...this.#positions].sort(([, a], [, b]) => a - b)) {
      while ((gone[before] ?? Number.POSITIVE_INFINITY) < position) before += 1
      this.#positions.set(name, position - before)
    }
    this.#ascending = null
    this.#version += 1
  }
}
