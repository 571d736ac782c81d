import fc from 'fast-check'
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
  const options = { newestTotal: () => 900 }
  const first = [cached(900), cached(900, { index: 1 })]
  const shown = agreeOnWindows(NO_WINDOWS, first, options)

  test('shows windows with the same total', () => {
    expect([...shown.windows.keys()]).toEqual([0, 1])
    expect(shown).toMatchObject({ total: 900, dispute: '' })
  })

  test('returns the same object while nothing has changed', () => {
    expect(agreeOnWindows(shown, first, options)).toBe(shown)
  })

  test('waits with a new answer until the other window is fetched too', () => {
    const newer = cached(901, { answeredAt: 2 })
    const waiting = agreeOnWindows(
      shown,
      [newer, cached(900, { index: 1, isFetching: true, window: first[1]?.window as ImageWindow })],
      options,
    )
    expect(waiting.windows).toEqual(shown.windows)

    const both = [newer, cached(901, { index: 1, answeredAt: 2 })]
    expect(agreeOnWindows(waiting, both, options)).toMatchObject({ total: 901, dispute: '' })
  })

  test('shows a change by the user at once, also while a window is fetched', () => {
    // It keeps the time of the last answer.
    const starred = cached(900, { isFetching: true })
    const [, other] = first
    const after = agreeOnWindows(shown, [starred, other as CachedWindow], options)

    expect(after.windows.get(0)).toBe(starred.window)
  })

  test('keeps the shown windows during a dispute, and shows them as they are if it remains', () => {
    const disputed = [cached(901, { answeredAt: 2 }), cached(900, { index: 1, answeredAt: 2 })]

    const held = agreeOnWindows(shown, disputed, options)
    expect(held.windows).toEqual(shown.windows)
    expect(held.dispute).toBe('901,900')

    const settled = agreeOnWindows(held, disputed, { ...options, unsettled: held.dispute })
    expect(settled.windows.get(0)).toBe(disputed[0]?.window)
  })

  test('drops windows that are no longer wanted', () => {
    const after = agreeOnWindows(shown, first.slice(1), options)

    expect([...after.windows.keys()]).toEqual([1])
  })

  test('keeps the newest total on a screen of older windows, until they are answered', () => {
    const other = cached(0, { index: 4 })
    const after = agreeOnWindows(shown, [other], options)
    expect(after).toMatchObject({ total: 900, dispute: '900,0' })
    expect(agreeOnWindows(after, [other], options)).toBe(after)

    const answered = agreeOnWindows(after, [{ ...other, answeredAt: 2 }], options)
    expect(answered).toMatchObject({ total: 0, dispute: '' })
  })

  test('follows a change by the user on a screen of older windows', () => {
    const after = agreeOnWindows(shown, [cached(900, { index: 4, answeredAt: 0 })], options)
    const edited = [cached(899, { index: 4, answeredAt: 0 })]

    expect(agreeOnWindows(after, edited, options)).toMatchObject({ total: 899, dispute: '' })
  })

  test('settles on one total, whatever the totals of cached windows are', () => {
    const windows = fc.array(
      fc.record({ total: fc.nat(12), answeredAt: fc.nat(3), isFetching: fc.boolean() }),
      { minLength: 12, maxLength: 12 },
    )
    const screen = fc.record({ top: fc.nat(11), height: fc.integer({ min: 1, max: 3 }) })
    const dispute = fc.array(fc.nat(12), { minLength: 1, maxLength: 3 }).map((all) => all.join())
    fc.assert(
      fc.property(windows, screen, dispute, (all, { top, height }, unsettled) => {
        const cache = all.map(
          (one, index): CachedWindow => ({
            ...one,
            index,
            window: { items: [], total: one.total },
          }),
        )
        const newest = cache.toSorted((a, b) => a.answeredAt - b.answeredAt).at(-1)
        // A window holds one image here, and the scroll position stays within the total.
        const seen = (total: number) =>
          cache.slice(Math.max(0, Math.min(top, total - height))).slice(0, height)
        let now = agreeOnWindows(NO_WINDOWS, seen(12), options)
        for (let renders = 0; renders < 24; renders += 1) {
          const next = agreeOnWindows(now, seen(now.total ?? 12), {
            unsettled,
            newestTotal: () => newest?.window.total,
          })
          if (next === now) return
          now = next
        }
        expect.fail('It shows other windows on each render.')
      }),
    )
  })
})
