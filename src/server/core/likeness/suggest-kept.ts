import type { KeepReason } from '#contract/likeness/duplicates.ts'

/** Properties that decide which image of a group is kept. */
export interface Candidate {
  id: number
  pixels: number
  /** Number of kinds of metadata: a generator, a prompt, a workflow. */
  metadata: number
  /** Larger for a format in which generators and cameras save, and which loses nothing. */
  format: number
  isStarred: boolean
  isOnBoard: boolean
  bytes: number
}

/** In the order in which they are compared. A larger value is better. */
const criteria: readonly (readonly [KeepReason, (candidate: Candidate) => number])[] = [
  ['pixels', ({ pixels }) => pixels],
  ['metadata', ({ metadata }) => metadata],
  ['format', ({ format }) => format],
  ['starred', ({ isStarred }) => Number(isStarred)],
  ['board', ({ isOnBoard }) => Number(isOnBoard)],
  ['bytes', ({ bytes }) => bytes],
  ['oldest', ({ id }) => -id],
]

/** Returns the image of a group to keep, and the first criterion by which it is better than all others. */
export const suggestKept = (
  candidates: readonly Candidate[],
): { kept: Candidate; reason: KeepReason } => {
  let best = candidates
  for (const [reason, rank] of criteria) {
    const most = best.reduce((max, each) => Math.max(max, rank(each)), Number.NEGATIVE_INFINITY)
    best = best.filter((each) => rank(each) === most)
    const [kept] = best
    if (best.length === 1 && kept !== undefined) return { kept, reason }
  }
  throw new Error('A group of duplicates has two images with the same id.')
}
