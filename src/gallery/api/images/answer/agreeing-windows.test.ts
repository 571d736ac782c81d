import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { type ImageWindow, WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { imageAnswer } from '#testing/fake-fetch.ts'
import { doAgree, fillHoles } from './agreeing-windows.ts'

const record = (number: number) => imageAnswer({ image_name: `${number}.png` }) as ImageRecord

/** A window of a view whose images are numbered from `total` down to 1. */
const windowOf = (index: number, total: number): ImageWindow => ({
  items: Array.from({ length: WINDOW_SIZE }, (_, at) => record(total - index * WINDOW_SIZE - at)),
  total,
})

const withHoles = ({ items, total }: ImageWindow, from: number, to: number): ImageWindow => ({
  items: items.map((item, at) => (at >= from && at < to ? undefined : item)),
  total,
})

test.each([
  ['with the same total agree', [900, 900], true],
  ['with different totals do not agree', [900, 901], false],
  ['agree if there are none', [], true],
])('windows %s', (_, totals, isAgreeing) => {
  const windows = new Map(totals.map((total, index) => [index, windowOf(index, total)]))

  expect(doAgree(windows)).toBe(isAgreeing)
})

test('fills a hole with the image that crossed a window boundary', () => {
  const shown = new Map([1, 2].map((index) => [index, windowOf(index, 900)]))
  const windows = new Map([
    [1, windowOf(1, 910)],
    [2, withHoles(windowOf(2, 910), 0, 10)],
  ])

  const filled = fillHoles(windows, shown)

  expect(filled.get(2)).toEqual(windowOf(2, 910))
  expect(filled.get(1)).toBe(windows.get(1))
})

test('leaves a hole if the image at that position is unknown', () => {
  const shown = new Map([[1, windowOf(1, 900)]])
  const windows = new Map([[1, withHoles(windowOf(1, 910), 0, 20)]])

  const items = fillHoles(windows, shown).get(1)?.items ?? []

  expect(items.indexOf(undefined)).toBe(0)
  expect(items.lastIndexOf(undefined)).toBe(9)
})

test('fills no holes if the known records moved by another distance', () => {
  const shown = new Map([[1, windowOf(1, 900)]])
  const windows = new Map([[1, { ...withHoles(windowOf(1, 900), 0, 10), total: 910 }]])

  expect(fillHoles(windows, shown)).toBe(windows)
})
