import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import {
  countSelected,
  EVERYTHING,
  inverted,
  isSelected,
  NOTHING,
  only,
  resolved,
  type Selection,
  selectedPositions,
  shifted,
  toggled,
  withRanges,
} from './selection.ts'

const TOTAL = 60
const names = Array.from({ length: TOTAL }, (_, at) => `${at}.png`)
const recordOf = (position: number) =>
  position < TOTAL ? ({ image_name: `${position}.png` } as ImageRecord) : undefined
const everyRecord = (position: number) => recordOf(position)
/** Records with every second block of ten not loaded. */
const someRecords = (position: number) =>
  Math.floor(position / 10) % 2 === 0 ? recordOf(position) : undefined

const positions = fc.nat(TOTAL - 1)
const steps = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('toggle' as const), at: positions }),
    fc.record({ step: fc.constant('range' as const), from: positions, to: positions }),
    fc.record({ step: fc.constant('all' as const) }),
    fc.record({ step: fc.constant('invert' as const) }),
  ),
)

/** Applies the same steps to a selection and to a plain set of positions. */
function play(script: (typeof steps extends fc.Arbitrary<infer T> ? T : never)[number][]) {
  let selection: Selection = NOTHING
  let model = new Set<number>()
  for (const move of script) {
    if (move.step === 'toggle') {
      selection = toggled(selection, `${move.at}.png`, move.at)
      if (!model.delete(move.at)) model.add(move.at)
    } else if (move.step === 'range') {
      const range = { from: Math.min(move.from, move.to), to: Math.max(move.from, move.to) }
      selection = withRanges(selection, [range], someRecords)
      for (let at = range.from; at <= range.to; at += 1) model.add(at)
    } else if (move.step === 'all') {
      selection = EVERYTHING
      model = new Set(names.keys())
    } else {
      selection = inverted(selection)
      model = new Set([...names.keys()].filter((at) => !model.has(at)))
    }
  }
  return { selection, model }
}

test('agrees with a plain set after any sequence of clicks, ranges and inversions', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const { selection, model } = play(script)

      for (const [at, name] of names.entries()) {
        expect(isSelected(selection, name, at)).toBe(model.has(at))
      }
      expect(countSelected(selection, TOTAL)).toBe(model.size)
      const expected = [...model].map((at) => names[at])
      expect(resolved(selection, names).toSorted()).toEqual(expected.toSorted())
      expect(selectedPositions(selection, TOTAL)).toEqual([...model].sort((a, b) => a - b))
    }),
  )
})

test('stores "all but one" as a rule instead of a list of names', () => {
  const selection = toggled(EVERYTHING, '7.png', 7)

  expect(countSelected(selection, 1_000_000)).toBe(999_999)
  expect(selection.removed.size).toBe(1)
})

test('stores a short range of loaded images by name', () => {
  const selection = withRanges(NOTHING, [{ from: 2, to: 4 }], everyRecord)

  expect(selection.ranges).toEqual([])
  expect([...selection.added.keys()]).toEqual(['2.png', '3.png', '4.png'])
})

test('stores a range with images that are not loaded by position', () => {
  const selection = withRanges(NOTHING, [{ from: 5, to: 15 }], someRecords)

  expect(selection.ranges).toEqual([{ from: 5, to: 15 }])
  expect(resolved(selection, names)).toEqual(names.slice(5, 16))
})

test('shifts ranges when images are inserted above, but not "all"', () => {
  const range = withRanges(NOTHING, [{ from: 15, to: 25 }], someRecords)

  expect(shifted(range, 3).ranges).toEqual([{ from: 18, to: 28 }])
  expect(shifted(EVERYTHING, 3)).toEqual(EVERYTHING)
})

test('selects only the given image', () => {
  expect(resolved(only('3.png', 3), [])).toEqual(['3.png'])
})
