import {
  colorDistance,
  FINGERPRINT_WORDS,
  hashDistance,
  leastDistance,
  mirroredDistance,
  ORIENTATIONS,
  transposedHash,
} from './fingerprint.ts'

/** Fingerprints of pictures and what else is compared, by position in `ids`. */
export interface Pictures {
  ids: Uint32Array
  /** `FINGERPRINT_WORDS` words each. */
  words: Uint32Array
  /** 1,000 times the binary logarithm of width / height. */
  ratios: Int16Array
  /** Of videos, in milliseconds plus 1. 0: an image. */
  durations: Uint32Array
}

/** How much two pictures may differ. */
export interface Likeness {
  /** Different bits of the hash, at most `MAX_HASH_DISTANCE` of the contract. */
  distance: number
  /** Difference of the ratios. */
  ratio: number
}

/** The sum of the differences of nine fields, three values each. Small copies of a picture differ by up to ten. */
export const MAX_COLOR_DISTANCE = 18

/** Encodings of a video differ by a few frames. */
const MAX_DURATION_DIFFERENCE = 250

/** Returns true if two pictures are alike in one of the eight orientations. */
export const areAlike = (
  { words, ratios, durations }: Pictures,
  one: number,
  other: number,
  { distance, ratio }: Likeness,
): boolean => {
  const [duration = 0, otherDuration = 0] = [durations[one], durations[other]]
  if ((duration === 0) !== (otherDuration === 0)) return false
  if (Math.abs(duration - otherDuration) > MAX_DURATION_DIFFERENCE) return false
  const wordsOf = (at: number) =>
    words.subarray(at * FINGERPRINT_WORDS, (at + 1) * FINGERPRINT_WORDS) as unknown as number[]
  const [first, second] = [wordsOf(one), wordsOf(other)]
  for (let orientation = 0; orientation < ORIENTATIONS; orientation += 1) {
    const sign = (orientation & 4) === 0 ? 1 : -1
    if (Math.abs(sign * (ratios[one] ?? 0) - (ratios[other] ?? 0)) > ratio) continue
    if (hashDistance(first, second, orientation) > distance) continue
    if (colorDistance(first, second, orientation) <= MAX_COLOR_DISTANCE) return true
  }
  return false
}

/** Sets of positions that were joined. */
export class JoinedSets {
  readonly #parents: Uint32Array

  constructor(length: number) {
    this.#parents = Uint32Array.from({ length }, (_, at) => at)
  }

  /** Returns the same position for all members of a set. */
  rootOf(at: number): number {
    const parents = this.#parents
    let root = at
    for (let parent = parents[root] ?? 0; parent !== root; parent = parents[root] ?? 0) {
      const above = parents[parent] ?? 0
      parents[root] = above
      root = above
    }
    return root
  }

  /** The smaller root becomes the root of both. */
  join(one: number, other: number): void {
    const [root, otherRoot] = [this.rootOf(one), this.rootOf(other)]
    this.#parents[Math.max(root, otherRoot)] = Math.min(root, otherRoot)
  }
}

/** The parts of a hash, as keys of an index: mirroring inverts the bits of the last three. */
const PARTS = 4

/** The parts of a picture that are those of its turned copy. */
const TURNED_PARTS = [0, 2, 1, 3]
const KEYS = 0x1_00_00

const partOf = (part: number, high: number, low: number): number => {
  const word = part < 2 ? high : low
  return part % 2 === 0 ? word >>> 16 : word & 0xffff
}

const keyOf = (part: number, value: number): number =>
  part === 0 ? value : Math.min(value, value ^ 0xffff)

/** The hashes whose part has a key are in a row, in the order of their positions. */
interface PartIndex {
  /** The first place of each key. */
  starts: Uint32Array
  /**
   * Position and hash at each place, so that a search reads memory in its order. They are signed, because calls would
   * allocate memory for larger numbers.
   */
  entries: Int32Array
}

const ENTRY = 3

const NO_INDEX: PartIndex = {
  starts: new Uint32Array(KEYS + 1),
  entries: new Int32Array(),
}

const indexPart = (part: number, { words }: Pictures, members: Uint32Array): PartIndex => {
  const keyAt = (at: number) =>
    keyOf(
      part,
      partOf(part, words[at * FINGERPRINT_WORDS] ?? 0, words[at * FINGERPRINT_WORDS + 1] ?? 0),
    )
  const starts = new Uint32Array(KEYS + 1)
  for (const at of members) {
    const key = keyAt(at) + 1
    starts[key] = (starts[key] ?? 0) + 1
  }
  for (let key = 1; key <= KEYS; key += 1) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0)
  const next = starts.slice()
  const entries = new Int32Array(ENTRY * members.length)
  for (const at of members) {
    const key = keyAt(at)
    const place = next[key] ?? 0
    next[key] = place + 1
    entries[ENTRY * place] = at
    entries[ENTRY * place + 1] = words[at * FINGERPRINT_WORDS] ?? 0
    entries[ENTRY * place + 2] = words[at * FINGERPRINT_WORDS + 1] ?? 0
  }
  return { starts, entries }
}

/** Returns all 16-bit numbers with at most this number of bits. */
const masksOf = (bits: number): Uint32Array => {
  const masks: number[] = []
  for (let mask = 0; mask < KEYS; mask += 1) {
    let count = 0
    for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
    if (count <= bits) masks.push(mask)
  }
  return Uint32Array.from(masks)
}

/** Number of comparisons with one part between two calls of `onProgress`. */
const STEP = 4_000

export interface GroupOptions extends Likeness {
  /** Positions of pictures that are compared with all others. Absent: all pictures. */
  compared?: Uint32Array
  /** Sets of pictures that are known to be alike. */
  sets?: JoinedSets
  /** Called with the number of compared pictures. False ends the work. */
  onProgress?: (done: number, total: number) => boolean
}

/**
 * Joins all pictures that are alike. Pictures that are alike to a third one are in the same set.
 *
 * Two hashes with at most 7 different bits have at least one of four parts with at most one different bit. So each
 * picture is compared only with those that have such a part.
 *
 * @returns null if `onProgress` ended the work.
 */
export const groupAlike = (pictures: Pictures, options: GroupOptions): JoinedSets | null => {
  const { ids } = pictures
  const { distance, compared, onProgress } = options
  const sets = options.sets ?? new JoinedSets(ids.length)
  // A library can have thousands of copies of one picture. One of them suffices to find others.
  const representatives = joinEqual(pictures, sets)
  const isQueued = compared && new Uint8Array(ids.length)
  if (isQueued) for (const at of compared) isQueued[representatives.of[at] ?? at] = 1
  const parts = Array.from({ length: PARTS }, (_, part) =>
    indexPart(part, pictures, representatives.members),
  )
  const masks = masksOf(Math.floor(distance / PARTS))
  /** Compares one picture, of which `high` and `low` have an orientation, with those that have nearly the same part. */
  const compareBy = (part: number, at: number, high: number, low: number) => {
    const { starts, entries } = parts[part] ?? NO_INDEX
    const value = partOf(part, high, low)
    for (let mask = 0; mask < masks.length; mask += 1) {
      const key = keyOf(part, value ^ (masks[mask] ?? 0))
      const end = ENTRY * (starts[key + 1] ?? 0)
      for (let entry = ENTRY * (starts[key] ?? 0); entry < end; entry += ENTRY) {
        const other = entries[entry] ?? 0
        if (compared === undefined && other >= at) break
        const otherHigh = entries[entry + 1] ?? 0
        if (leastDistance(high ^ otherHigh) > distance) continue
        if (mirroredDistance(high, low, otherHigh, entries[entry + 2] ?? 0) > distance) continue
        if (other === at || sets.rootOf(at) === sets.rootOf(other)) continue
        if (areAlike(pictures, at, other, options)) sets.join(at, other)
      }
    }
  }
  // In the order of an index, pictures that follow each other are compared with the same others, which are in the
  // cache of the processor then.
  const passes = TURNED_PARTS.flatMap((turned, part) => [
    { part, isTurned: false, source: parts[part] ?? NO_INDEX },
    { part, isTurned: true, source: parts[turned] ?? NO_INDEX },
  ])
  let steps = 0
  const total = representatives.members.length
  const isCanceled = () => onProgress?.(Math.floor(steps / passes.length), total) === false
  for (const { part, isTurned, source } of passes)
    for (let entry = 0; entry < source.entries.length; entry += ENTRY) {
      if (steps % STEP === 0 && isCanceled()) return null
      steps += 1
      const at = source.entries[entry] ?? 0
      if (isQueued && isQueued[at] === 0) continue
      const high = source.entries[entry + 1] ?? 0
      const low = source.entries[entry + 2] ?? 0
      const [turnedHigh, turnedLow] = isTurned ? transposedHash(high, low) : [high, low]
      compareBy(part, at, turnedHigh | 0, turnedLow | 0)
    }
  isCanceled()
  return sets
}

/** Joins pictures with the same fingerprint, ratio and duration. Returns the first of each. */
const joinEqual = (
  { ids, words, ratios, durations }: Pictures,
  sets: JoinedSets,
): { members: Uint32Array; of: Uint32Array } => {
  const size = 2 ** Math.ceil(Math.log2(2 * ids.length + 2))
  /** Positions plus 1, by their hash. */
  const table = new Uint32Array(size)
  const of = new Uint32Array(ids.length)
  const members = new Uint32Array(ids.length)
  let count = 0
  const isEqual = (one: number, other: number) => {
    for (let word = 0; word < FINGERPRINT_WORDS; word += 1)
      if (words[one * FINGERPRINT_WORDS + word] !== words[other * FINGERPRINT_WORDS + word])
        return false
    return ratios[one] === ratios[other] && durations[one] === durations[other]
  }
  for (let at = 0; at < ids.length; at += 1) {
    let hash = (ratios[at] ?? 0) ^ (durations[at] ?? 0)
    for (let word = 0; word < FINGERPRINT_WORDS; word += 1)
      hash = Math.imul(hash ^ (words[at * FINGERPRINT_WORDS + word] ?? 0), 0x9e3779b1)
    let place = (hash ^ (hash >>> 15)) & (size - 1)
    let found = table[place] ?? 0
    while (found !== 0 && !isEqual(found - 1, at)) {
      place = (place + 1) & (size - 1)
      found = table[place] ?? 0
    }
    if (found === 0) {
      table[place] = at + 1
      members[count++] = at
      of[at] = at
    } else {
      of[at] = found - 1
      sets.join(found - 1, at)
    }
  }
  return { members: members.slice(0, count), of }
}

/** Returns the ids of each set of at least two pictures: their number, then the ids, set after set. */
export const groupsOf = (ids: Uint32Array, sets: JoinedSets): Uint32Array => {
  const sizes = new Uint32Array(ids.length)
  for (let at = 0; at < ids.length; at += 1) {
    const root = sets.rootOf(at)
    sizes[root] = (sizes[root] ?? 0) + 1
  }
  const starts = new Uint32Array(ids.length)
  let length = 0
  for (let at = 0; at < ids.length; at += 1) {
    const size = sizes[at] ?? 0
    if (size < 2) continue
    starts[at] = length
    length += size + 1
  }
  const groups = new Uint32Array(length)
  const filled = new Uint32Array(ids.length)
  for (let at = 0; at < ids.length; at += 1) {
    const root = sets.rootOf(at)
    const size = sizes[root] ?? 0
    if (size < 2) continue
    const start = starts[root] ?? 0
    groups[start] = size
    filled[root] = (filled[root] ?? 0) + 1
    groups[start + (filled[root] ?? 0)] = ids[at] ?? 0
  }
  return groups
}
