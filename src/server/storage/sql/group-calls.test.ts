import { expect, test } from 'vitest'
import { Refusal } from '#server/core/refusal.ts'
import { groupCalls } from './group-calls.ts'

/** Doubles numbers. The first group ends when `release` is called. Negative numbers make their group fail. */
const startDoubling = () => {
  const groups: (readonly number[])[] = []
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const double = groupCalls(async (numbers: readonly number[]) => {
    groups.push(numbers)
    await isReleased
    if (numbers.includes(0)) throw new Refusal('disk_full')
    if (numbers.some((number) => number < 0)) throw new RangeError('negative')
    return numbers.map((number) => number * 2)
  })
  return { double, groups, release }
}

test('runs calls that arrive during a call together, each with its result', async () => {
  const { double, groups, release } = startDoubling()

  const results = [1, 2, 3].map(double)
  release()

  expect(await Promise.all(results)).toEqual([2, 4, 6])
  expect(groups).toEqual([[1], [2, 3]])
})

test('limits a group to sixteen calls', async () => {
  const { double, groups, release } = startDoubling()

  const results = Array.from({ length: 20 }, (_, at) => double(at + 1))
  release()
  await Promise.all(results)

  expect(groups.map((group) => group.length)).toEqual([1, 16, 3])
})

test('isolates an item that fails from the others in its group', async () => {
  const { double, release } = startDoubling()

  const results = Promise.allSettled([1, 2, -3, 4].map(double))
  release()

  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
})

test('rejects the whole group once with a refusal', async () => {
  const { double, groups, release } = startDoubling()

  const results = Promise.allSettled([1, 0, 2].map(double))
  release()

  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(groups).toEqual([[1], [0, 2]])
})
