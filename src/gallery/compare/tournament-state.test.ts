import { expect, test } from 'vitest'
import { afterMatch, firstMatch } from './tournament-state.ts'

test('lets the winner stay at its side until nobody is left', () => {
  const first = firstMatch(['a', 'b', 'c', 'd'])
  expect(first.match).toEqual(['a', 'b'])

  const second = afterMatch(first, 'b')
  expect(second.match).toEqual(['c', 'b'])
  const third = afterMatch(second, 'c')
  expect(third.match).toEqual(['c', 'd'])
  const end = afterMatch(third, 'c')

  expect(end).toMatchObject({ match: null, winner: 'c', waiting: [] })
  expect(afterMatch(end, 'd')).toBe(end)
  expect(end.before).toBe(third)
})

test('knows the images that were deleted or taken out, and goes back beyond their matches', () => {
  const first = firstMatch(['a', 'b', 'c'])
  const second = afterMatch(first, 'a')
  const end = afterMatch(second, 'a', { isOtherOut: true })

  expect(end).toMatchObject({ winner: 'a', out: ['c'] })
  expect(end.before).toBe(first)
})
