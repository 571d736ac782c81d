/** A page of a view from the server, starting at `offset`. */
interface PageOfNames {
  readonly offset: number
  readonly names: readonly string[]
}

/**
 * The server positions of images with a pending removal from a view. The page hides them while the server still has
 * them, so each position on the page maps to a later position on the server.
 */
export class RemovalPositions {
  readonly #positions = new Map<string, number>()
  #ascending: number[] | null = null
  #version = 0

  get size(): number {
    return this.#positions.size
  }

  /** Incremented when positions on the server have changed. */
  get version(): number {
    return this.#version
  }

  /**
   * Maps positions on the page to positions on the server.
   *
   * @param shown - Positions in ascending order.
   */
  onServer(shown: readonly number[]): number[] {
    this.#ascending ??= [...this.#positions.values()].sort((a, b) => a - b)
    const removed = this.#ascending
    let before = 0
    return shown.map((position) => {
      while ((removed[before] ?? Number.POSITIVE_INFINITY) <= position + before) before += 1
      return position + before
    })
  }

  /**
   * Adds images with a pending removal.
   *
   * @param shownAt - Their previous positions on the page, ascending.
   */
  add(names: readonly string[], shownAt: readonly number[]): void {
    const positions = this.onServer(shownAt)
    names.forEach((name, at) => {
      const position = positions[at]
      if (position !== undefined) this.#positions.set(name, position)
    })
    this.#ascending = null
  }

  /** Corrects the positions by a page of the server. */
  learn({ offset, names }: PageOfNames, isRemoved: (name: string) => boolean): void {
    const found = new Map<string, number>()
    names.forEach((name, at) => {
      if (isRemoved(name)) found.set(name, offset + at)
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

  /** Returns by how many positions other changes have moved the images on the server. */
  #shiftOf(found: ReadonlyMap<string, number>): number {
    for (const [name, position] of found) {
      const before = this.#positions.get(name)
      if (before !== undefined) return position - before
    }
    return 0
  }

  forget(names: ReadonlySet<string>): void {
    for (const name of names) this.#positions.delete(name)
    this.#ascending = null
  }

  /** Removes images whose removal the server has confirmed. Later positions move up. */
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
