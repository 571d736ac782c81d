import { expect, test } from 'vitest'
import { RemovalPositions } from './removal-positions.ts'

const removalsOf = (...images: [string, number][]) => {
  const positions = new RemovalPositions()
  positions.add(
    images.map(([name]) => name),
    images.map(([, shownAt]) => shownAt),
  )
  return positions
}

test.each([
  { removed: [], shown: [0, 1, 2], onServer: [0, 1, 2] },
  { removed: [0, 1], shown: [0, 1], onServer: [2, 3] },
  { removed: [1, 3], shown: [0, 1, 2, 3], onServer: [0, 2, 4, 5] },
  { removed: [7], shown: [0, 6, 7], onServer: [0, 6, 8] },
])(
  'without $removed, positions $shown are $onServer on the server',
  ({ removed, shown, onServer }) => {
    const positions = removalsOf(...removed.map((at): [string, number] => [`${at}.png`, at]))

    expect(positions.onServer(shown)).toEqual(onServer)
  },
)

test('maps a later removal from the positions after an earlier one', () => {
  const positions = removalsOf(['a', 0], ['b', 1])

  positions.add(['e'], [2])

  expect(positions.onServer([0, 1, 2])).toEqual([2, 3, 5])
})

test('updates positions when the server confirms removals in any order', () => {
  const positions = removalsOf(['a', 0], ['b', 1])
  positions.add(['e'], [2])

  positions.confirm(new Set(['a', 'b']))

  expect(positions.onServer([0, 1, 2])).toEqual([0, 1, 3])
  positions.confirm(new Set(['e']))
  expect(positions.size).toBe(0)
})

test('shows images again after a rollback', () => {
  const positions = removalsOf(['a', 0], ['c', 2])

  positions.forget(new Set(['a']))

  expect(positions.onServer([0, 1, 2])).toEqual([0, 1, 3])
})

test('learns unknown positions from a page of the server', () => {
  const positions = new RemovalPositions()

  positions.learn({ offset: 0, names: ['a', 'b', 'c'] }, (name) => name === 'b')

  expect(positions.onServer([0, 1])).toEqual([0, 2])
})

test('shifts all positions when images are inserted above', () => {
  const positions = removalsOf(['a', 0], ['b', 1], ['c', 2])

  positions.learn({ offset: 3, names: ['b', 'c', 'd'] }, (name) => 'abc'.includes(name))

  expect(positions.onServer([0, 1, 2])).toEqual([0, 1, 5])
})
