/** Pseudorandom numbers, determined by a seed (mulberry32). */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number
  between(low: number, high: number): number
  /** An integer, both ends included. */
  integer(low: number, high: number): number
  isLikely(probability: number): boolean
  pick<Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number]
}

export const seededRandom = (seed: number): SeededRandom => {
  // Without this, adjacent seeds would begin with similar numbers.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + next() * (high - low)
  return {
    next,
    between,
    integer: (low, high) => Math.floor(between(low, high + 1)),
    isLikely: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
