import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roundsOf } from '#testing/rounds.ts'
import { mirroredDistance, transposedHash } from './fingerprint.ts'
import { areAlike, groupAlike, groupsOf, type Likeness, type Pictures } from './group-alike.ts'
import { type Grouped, regroup } from './regroup.ts'

interface Picture {
  id: number
  words: readonly number[]
  ratio: number
  duration: number
}

const picturesOf = (all: readonly Picture[]): Pictures => ({
  ids: Uint32Array.from(all, ({ id }) => id),
  words: Uint32Array.from(all.flatMap(({ words }) => words)),
  ratios: Int16Array.from(all, ({ ratio }) => ratio),
  durations: Uint32Array.from(all, ({ duration }) => duration),
})

/** Compares each picture with all others. */
const plainGroups = (pictures: Pictures, likeness: Likeness): number[][] => {
  const parents = Array.from(pictures.ids, (_, at) => at)
  const rootOf = (at: number): number => (parents[at] === at ? at : rootOf(parents[at] ?? 0))
  for (let one = 0; one < parents.length; one += 1)
    for (let other = 0; other < one; other += 1)
      if (areAlike(pictures, one, other, likeness)) parents[rootOf(one)] = rootOf(other)
  const groups = Map.groupBy(parents.keys(), rootOf)
  return sorted([...groups.values()].map((members) => members.map((at) => pictures.ids[at] ?? 0)))
}

const sorted = (groups: number[][]): number[][] =>
  groups
    .filter(({ length }) => length > 1)
    .map((members) => members.sort((one, other) => one - other))
    .sort(([one = 0], [other = 0]) => one - other)

const listOf = (flat: Uint32Array): number[][] => {
  const groups: number[][] = []
  for (let at = 0; at < flat.length; at += 1 + (flat[at] ?? 0))
    groups.push([...flat.subarray(at + 1, at + 1 + (flat[at] ?? 0))])
  return sorted(groups)
}

const found = (grouped: Grouped | null) =>
  grouped && listOf(groupsOf(grouped.pictures.ids, grouped.sets))

/** A hash whose last bit is 0, as the codec makes them. */
const hash = fc.tuple(fc.nat(0xff_ff_ff_fe), fc.nat(0xff_ff_ff_fe))
const flips = fc.array(fc.nat(63), { maxLength: 9 })

/** Pictures that differ from a few others in some bits and by an orientation. */
const somePictures = fc
  .record({
    bases: fc.array(hash, { minLength: 1, maxLength: 4 }),
    made: fc.array(
      fc.record({
        base: fc.nat(3),
        flips,
        turn: fc.nat(7),
        color: fc.nat(3),
        ratio: fc.constantFrom(0, 585, -585, 600),
        duration: fc.constantFrom(0, 0, 0, 1_001, 1_200, 9_000),
      }),
      { maxLength: 40 },
    ),
  })
  .map(({ bases, made }) =>
    made.map(({ base, flips: bits, turn, color, ratio, duration }, id): Picture => {
      let [high, low] = bases[base % bases.length] ?? [0, 0]
      for (const bit of bits)
        if (bit < 32) high = (high ^ (1 << bit)) >>> 0
        else low = (low ^ (1 << (bit - 32))) >>> 0
      if ((turn & 4) !== 0) [high, low] = transposedHash(high, low)
      if ((turn & 1) !== 0) [high, low] = [(high ^ 0xffff) >>> 0, (low ^ 0xffff) >>> 0]
      if ((turn & 2) !== 0) low = (low ^ 0xffffffff) >>> 0
      const fields = (color * 5) << 6
      return { id: 2 * id + 1, words: [high, low, fields, fields, fields], ratio, duration }
    }),
  )

const someLikeness = fc.record({ distance: fc.nat(11), ratio: fc.constantFrom(0, 28, 140) })

const rounds = { numRuns: roundsOf({ usual: 100, all: 2_000 }) }

describe('groups of pictures', () => {
  test('are the groups of a comparison of all pairs', () => {
    fc.assert(
      fc.property(somePictures, someLikeness, (all, likeness) => {
        const pictures = picturesOf(all)
        expect(found(regroup(null, pictures, likeness))).toEqual(plainGroups(pictures, likeness))
      }),
      rounds,
    )
  })

  test('are the same if they are updated after changes', () => {
    fc.assert(
      fc.property(
        somePictures,
        somePictures,
        fc.func(fc.nat(9)),
        someLikeness,
        (before, after, choose, likeness) => {
          const known = regroup(null, picturesOf(before), likeness)
          const remaining = before.filter(({ id }) => choose(id) > 1)
          const added = after.slice(0, Math.floor(remaining.length / 20) + 1)
          const ids = new Set(remaining.map(({ id }) => id))
          const all = [...remaining, ...added.filter(({ id }) => !ids.has(id))]
          const pictures = picturesOf(all.toSorted((one, other) => one.id - other.id))
          expect(found(regroup(known, pictures, likeness, 1))).toEqual(
            plainGroups(pictures, likeness),
          )
        },
      ),
      rounds,
    )
  })

  test('end early if they are canceled', () => {
    const pictures = picturesOf([{ id: 1, words: [1, 2, 3, 4, 5], ratio: 0, duration: 0 }])
    const options = { distance: 5, ratio: 28 }
    expect(groupAlike(pictures, { ...options, onProgress: () => false })).toBeNull()
    expect(groupAlike(pictures, { ...options, onProgress: () => true })).not.toBeNull()
  })

  test('find one picture among thousands of copies without comparing all of them', () => {
    const copy = { words: [0x12345678, 0x9abcdef0, 7, 8, 9], ratio: 0, duration: 0 }
    const copies = Array.from({ length: 20_000 }, (_, id): Picture => ({ id, ...copy }))
    const near = { ...copy, id: 20_000, words: [0x12345679, 0x9abcdef0, 7, 8, 9] }
    const groups = found(regroup(null, picturesOf([...copies, near]), { distance: 5, ratio: 28 }))
    expect(groups?.map(({ length }) => length)).toEqual([20_001])
  })
})

test('hashes have the same distance in both directions, whatever is mirrored', () => {
  fc.assert(
    fc.property(hash, hash, ([high, low], [otherHigh, otherLow]) => {
      const distance = mirroredDistance(high, low, otherHigh, otherLow)
      expect(mirroredDistance(otherHigh, otherLow, high, low)).toBe(distance)
      const turned = transposedHash(high, low)
      const otherTurned = transposedHash(otherHigh, otherLow)
      expect(transposedHash(...turned)).toEqual([high, low])
      expect(mirroredDistance(...turned, ...otherTurned)).toBe(distance)
      expect(mirroredDistance((high ^ 0xffff) >>> 0, (low ^ 0xffff) >>> 0, high, low)).toBe(0)
    }),
    rounds,
  )
})
