import { FINGERPRINT_WORDS } from './fingerprint.ts'
import { type GroupOptions, groupAlike, JoinedSets, type Pictures } from './group-alike.ts'

/** Pictures that were grouped. */
export interface Grouped {
  pictures: Pictures
  sets: JoinedSets
}

/** If a larger part changed, comparing all pictures is as fast. */
const MAX_CHANGED_PART = 0.1

/**
 * Groups pictures of which most were grouped before. Only new and changed ones are compared, and those that were in one
 * set with a picture that changed or is gone.
 *
 * @param pictures - In the order of their ids.
 * @returns null if `onProgress` ended the work.
 */
export const regroup = (
  known: Grouped | null,
  pictures: Pictures,
  options: Omit<GroupOptions, 'compared' | 'sets'>,
  maxChangedPart = MAX_CHANGED_PART,
): Grouped | null => {
  const update = known === null ? null : updateOf(known, pictures)
  const isSmall = update && update.compared.length <= pictures.ids.length * maxChangedPart
  const sets = groupAlike(pictures, { ...options, ...(isSmall && update) })
  return sets && { pictures, sets }
}

/** Returns the sets that did not change, and the pictures to compare. */
const updateOf = (
  { pictures: before, sets: known }: Grouped,
  pictures: Pictures,
): { sets: JoinedSets; compared: Uint32Array } => {
  const { ids } = pictures
  /** The earlier positions of the pictures, plus 1. 0: it is new or changed. */
  const earlier = new Uint32Array(ids.length)
  const isRemaining = new Uint8Array(before.ids.length)
  let old = 0
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0
    while (old < before.ids.length && (before.ids[old] ?? 0) < id) old += 1
    if (before.ids[old] !== id || !isSame(before, old, pictures, at)) continue
    earlier[at] = old + 1
    isRemaining[old] = 1
  }
  const isBroken = new Uint8Array(before.ids.length)
  for (let at = 0; at < before.ids.length; at += 1)
    if (isRemaining[at] === 0) isBroken[known.rootOf(at)] = 1
  const sets = new JoinedSets(ids.length)
  /** The first of the remaining pictures of each earlier set, plus 1. */
  const first = new Uint32Array(before.ids.length)
  const compared: number[] = []
  for (let at = 0; at < ids.length; at += 1) {
    const root = earlier[at] === 0 ? 0 : known.rootOf((earlier[at] ?? 0) - 1)
    if (earlier[at] === 0 || isBroken[root] === 1) compared.push(at)
    else if (first[root] === 0) first[root] = at + 1
    else sets.join((first[root] ?? 0) - 1, at)
  }
  return { sets, compared: Uint32Array.from(compared) }
}

const isSame = (before: Pictures, old: number, pictures: Pictures, at: number): boolean => {
  for (let word = 0; word < FINGERPRINT_WORDS; word += 1)
    if (
      before.words[old * FINGERPRINT_WORDS + word] !== pictures.words[at * FINGERPRINT_WORDS + word]
    )
      return false
  return (
    before.ratios[old] === pictures.ratios[at] && before.durations[old] === pictures.durations[at]
  )
}
