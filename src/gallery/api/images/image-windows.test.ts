import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { imageRecord } from '#testing/fake-fetch.ts'
import {
  hasHoles,
  type ImageWindow,
  positionsIn,
  recordAt,
  WINDOW_SIZE,
  withChanged,
  withoutPositions,
} from './image-windows.ts'

const imageNamed = (image_name: string): ImageRecord => imageRecord({ image_name })

const windowOf = (list: readonly ImageRecord[], index: number): ImageWindow => ({
  items: list.slice(index * WINDOW_SIZE, (index + 1) * WINDOW_SIZE),
  total: list.length,
})

const libraries = fc.integer({ min: 1, max: 5 * WINDOW_SIZE }).chain((total) =>
  fc.record({
    list: fc.constant(Array.from({ length: total }, (_, at) => imageNamed(`${at}.png`))),
    known: fc.uniqueArray(fc.nat(Math.floor((total - 1) / WINDOW_SIZE)), { minLength: 1 }),
    leaving: fc.uniqueArray(fc.nat(total - 1)),
  }),
)

test('matches the full list after a removal and loses no known record', () => {
  fc.assert(
    fc.property(libraries, ({ list, known, leaving }) => {
      const windows = new Map(known.map((index) => [index, windowOf(list, index)]))
      const positions = leaving.toSorted((a, b) => a - b)
      const rest = list.filter((_, position) => !leaving.includes(position))

      const result = withoutPositions(windows, positions)

      const stillKnown = new Set<string>()
      for (const [index, window] of result) {
        expect(window.total).toBe(rest.length)
        window.items.forEach((record, offset) => {
          if (!record) return
          expect(record).toBe(rest[index * WINDOW_SIZE + offset])
          stillKnown.add(record.image_name)
        })
      }
      const knownBefore = [...windows.values()].flatMap((window) => window.items)
      const staying = knownBefore.filter((record) => record && rest.includes(record))
      expect(stillKnown.size).toBe(staying.length)
    }),
    { numRuns: 60 },
  )
})

test('leaves a hole only at the end of a loaded window', () => {
  const list = Array.from({ length: 3 * WINDOW_SIZE }, (_, at) => imageNamed(`${at}.png`))

  const result = withoutPositions(new Map([[0, windowOf(list, 0)]]), [3])

  const first = result.get(0)
  expect(first?.items.indexOf(undefined)).toBe(WINDOW_SIZE - 1)
  expect(first && hasHoles(first, 0)).toBe(true)
})

test('leaves empty windows after removing all images', () => {
  const list = [imageNamed('a.png'), imageNamed('b.png')]

  const result = withoutPositions(new Map([[0, windowOf(list, 0)]]), [0, 1])

  expect([...result]).toEqual([[0, { items: [], total: 0 }]])
})

test('finds names at their positions across windows', () => {
  const list = Array.from({ length: 2 * WINDOW_SIZE }, (_, at) => imageNamed(`${at}.png`))
  const windows = new Map([
    [1, windowOf(list, 1)],
    [0, windowOf(list, 0)],
  ])

  expect(positionsIn(windows, new Set(['250.png', '7.png', 'elsewhere.png']))).toEqual([7, 250])
  expect(recordAt(windows, 250)?.image_name).toBe('250.png')
})

test('changes only the named records', () => {
  const window = windowOf([imageNamed('a.png'), imageNamed('b.png')], 0)

  const changed = withChanged(window, new Set(['b.png']), { starred: true })

  expect(changed.items.map((record) => record?.starred)).toEqual([false, true])
  expect(changed.items[0]).toBe(window.items[0])
  expect(withChanged(window, new Set(['c.png']), { starred: true })).toBe(window)
})
