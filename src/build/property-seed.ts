import { randomInt } from 'node:crypto'

const DEFAULT_SEED = '20261122'

let printedSeed: number | null = null

/**
 * Returns the seed of all property tests of a run: `FC_SEED`, a new seed if it is `random`, or a fixed one,
 * so that a local failure can be repeated. Sets `FC_SEED`, so that every process of the run uses the same
 * seed.
 */
export function choosePropertySeed(): number {
  const wanted = process.env.FC_SEED ?? DEFAULT_SEED
  const seed = wanted === 'random' ? randomInt(1, 2 ** 31) : Number(wanted)
  if (!Number.isInteger(seed)) throw new Error(`FC_SEED must be an integer or "random": ${wanted}`)
  process.env.FC_SEED = String(seed)
  return seed
}

/** Chooses the seed and prints it. Prints once, although Vitest loads its configuration for each project. */
export function chooseAndPrintPropertySeed(): void {
  const seed = choosePropertySeed()
  if (seed === printedSeed) return
  printedSeed = seed
  console.log(`Property tests use FC_SEED=${seed}.`)
}
