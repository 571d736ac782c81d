/** A map with a limited total size. Evicts the least recently used entries first, but never the newest. */
export class BoundedMap<Key, Value> {
  readonly #maxSize: number
  readonly #sizeOf: (value: Value) => number
  readonly #values = new Map<Key, Value>()

  /** @param sizeOf - Returns the size of a value. By default, each entry counts as 1. */
  constructor(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
    this.#maxSize = maxSize
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    let size = 0
    for (const each of this.#values.values()) size += this.#sizeOf(each)
    for (const [oldest, each] of this.#values) {
      if (size <= this.#maxSize || oldest === key) return
      this.#values.delete(oldest)
      size -= this.#sizeOf(each)
    }
  }

  delete(key: Key): void {
    this.#values.delete(key)
  }

  entries(): [Key, Value][] {
    return [...this.#values]
  }

  clear(): void {
    this.#values.clear()
  }
}
