/** Returns a generator of numbers in [0, 1), determined by the seed (mulberry32, Tommy Ettinger). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a generator of the standard normal distribution (Box-Muller, both results used). */
export const normalFrom = (random: () => number): (() => number) => {
  let spare: number | null = null
  return () => {
    if (spare !== null) {
      const second = spare
      spare = null
      return second
    }
    // 1 minus, because the logarithm of 0 is infinite.
    const length = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    spare = length * Math.sin(angle)
    return length * Math.cos(angle)
  }
}
