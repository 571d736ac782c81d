import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_SCROLL_PX, placeAfterScroll, scrollMapping } from './scroll-mapping.ts'

const VIEWPORT_PX = 900

const heights = fc.integer({ min: 1, max: 120_000_000 })

test('maps scroll positions one to one up to ten million pixels', () => {
  const mapping = scrollMapping(9_000_000, VIEWPORT_PX)

  expect(mapping.boxPx).toBe(9_000_000)
  expect(mapping.toContent(1234)).toBe(1234)
  expect(mapping.toScroll(1234)).toBe(1234)
})

test('never exceeds the height that a browser can lay out', () => {
  fc.assert(
    fc.property(heights, (contentPx) => {
      expect(scrollMapping(contentPx, VIEWPORT_PX).boxPx).toBeLessThanOrEqual(MAX_SCROLL_PX)
    }),
  )
})

test('maps a lower scroll position to a lower content position', () => {
  fc.assert(
    fc.property(heights, fc.nat(MAX_SCROLL_PX), fc.nat(MAX_SCROLL_PX), (contentPx, a, b) => {
      const mapping = scrollMapping(contentPx, VIEWPORT_PX)
      const [upper, lower] = [Math.min(a, b), Math.max(a, b)]

      expect(mapping.toContent(upper)).toBeLessThanOrEqual(mapping.toContent(lower))
    }),
  )
})

test('reaches every row within a screen, and both ends exactly', () => {
  fc.assert(
    fc.property(heights, fc.double({ min: 0, max: 1, noNaN: true }), (contentPx, share) => {
      const mapping = scrollMapping(contentPx, VIEWPORT_PX)
      const last = Math.max(0, contentPx - VIEWPORT_PX)
      const wanted = share * last

      const shown = mapping.toContent(mapping.toScroll(wanted))

      expect(Math.abs(shown - wanted)).toBeLessThan(30)
      expect(mapping.toContent(0)).toBe(0)
      expect(mapping.toContent(mapping.boxPx)).toBe(last)
      expect(mapping.toContent(mapping.toScroll(last))).toBe(last)
    }),
  )
})

test('moves by the same distance per wheel step in a million images', () => {
  const mapping = scrollMapping(18_700_000, VIEWPORT_PX)
  const before = { scrollTop: mapping.toScroll(9_000_000), contentTop: 9_000_000 }

  const after = placeAfterScroll(mapping, before, before.scrollTop + 100, VIEWPORT_PX)

  expect(after.contentTop).toBe(9_000_100)
})

test('passes every pixel when the wheel scrolls to the end', () => {
  const mapping = scrollMapping(18_700_000, VIEWPORT_PX)
  const contentTop = 18_700_000 - VIEWPORT_PX - 950
  let place = { scrollTop: mapping.toScroll(contentTop), contentTop }

  for (let step = 0; step < 10; step += 1) {
    place = placeAfterScroll(mapping, place, place.scrollTop + 100, VIEWPORT_PX)
    const left = 18_700_000 - VIEWPORT_PX - place.contentTop
    expect(left).toBe(Math.max(0, 950 - (step + 1) * 100))
  }
})

test('jumps to the position of the scrollbar thumb', () => {
  const mapping = scrollMapping(18_700_000, VIEWPORT_PX)
  const before = { scrollTop: 0, contentTop: 0 }

  const after = placeAfterScroll(mapping, before, 7_000_000, VIEWPORT_PX)

  expect(after.contentTop).toBe(mapping.toContent(7_000_000))
})
