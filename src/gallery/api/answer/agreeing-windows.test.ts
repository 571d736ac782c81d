import { describe, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { type ImageWindow, WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { imageAnswer } from '#testing/fake-fetch.ts'
import {
  agreeOnWindows,
  type CachedWindow,
  doAgree,
  fillHoles,
  NO_WINDOWS,
} from './agreeing-windows.ts'

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

describe('agreeOnWindows', () => {
  const cached = (total: number, change: Partial<CachedWindow> = {}): CachedWindow => ({
    index: 0,
    window: windowOf(change.index ?? 0, total),
    answeredAt: 1,
    isFetching: false,
    ...change,
  })
  const first = [cached(900), cached(900, { index: 1 })]
  const shown = agreeOnWindows(NO_WINDOWS, first, '')

  test('shows windows with the same total', () => {
    expect([...shown.windows.keys()]).toEqual([0, 1])
    expect(shown).toMatchObject({ total: 900, dispute: '' })
  })

  test('returns the same object while nothing has changed', () => {
    expect(agreeOnWindows(shown, first, '')).toBe(shown)
  })

  test('waits with a new answer until the other window is fetched too', () => {
    const newer = cached(901, { answeredAt: 2 })
    const waiting = agreeOnWindows(
      shown,
      [newer, cached(900, { index: 1, isFetching: true, window: first[1]?.window as ImageWindow })],
      '',
    )
    expect(waiting.windows).toEqual(shown.windows)

    const both = [newer, cached(901, { index: 1, answeredAt: 2 })]
    expect(agreeOnWindows(waiting, both, '')).toMatchObject({ total: 901, dispute: '' })
  })

  test('shows a change by the user at once, also while a window is fetched', () => {
    // It keeps the time of the last answer.
    const starred = cached(900, { isFetching: true })
    const [, other] = first
    const after = agreeOnWindows(shown, [starred, other as CachedWindow], '')

    expect(after.windows.get(0)).toBe(starred.window)
  })

  test('keeps the shown windows during a dispute, and shows them as they are if it remains', () => {
    const disputed = [cached(901, { answeredAt: 2 }), cached(900, { index: 1, answeredAt: 2 })]

    const held = agreeOnWindows(shown, disputed, '')
    expect(held.windows).toEqual(shown.windows)
    expect(held.dispute).toBe('901,900')

    const settled = agreeOnWindows(held, disputed, held.dispute)
    expect(settled.windows.get(0)).toBe(disputed[0]?.window)
  })

  test('drops windows that are no longer wanted', () => {
    const after = agreeOnWindows(shown, first.slice(1), '')

    expect([...after.windows.keys()]).toEqual([1])
  })
})
