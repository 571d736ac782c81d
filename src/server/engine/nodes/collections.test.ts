import { expect, test } from 'vitest'
import { outputOf } from '#testing/local-nodes.ts'

test.each([
  ['range', { start: 2, stop: 5 }, [2, 3, 4]],
  ['range', { start: 0, stop: 10, step: 4 }, [0, 4, 8]],
  ['range', { start: 0, stop: 10, step: -1 }, []],
  ['range_of_size', { start: 3, size: 3, step: -2 }, [3, 1, -1]],
  ['float_range', { start: 0, stop: 1, steps: 5 }, [0, 0.25, 0.5, 0.75, 1]],
  ['float_range', { start: 0, stop: 0.7, steps: 1 }, [0]],
  [
    'float_range',
    { start: 0, stop: 0.3, steps: 4 },
    [0, expect.closeTo(0.1), expect.closeTo(0.2), 0.3],
  ],
  ['float_range', { steps: 0 }, []],
])('%s of %j', async (type, inputs, collection) => {
  expect((await outputOf(type, inputs)).collection).toEqual(collection)
})

test('random_range returns equal numbers for equal seeds only', async () => {
  const inputs = { low: -3, high: 4, size: 1_000, seed: 7 }
  const { collection } = await outputOf('random_range', inputs)
  const numbers = collection as number[]

  expect((await outputOf('random_range', inputs)).collection).toEqual(numbers)
  expect((await outputOf('random_range', { ...inputs, seed: 8 })).collection).not.toEqual(numbers)
  expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual([-3, -2, -1, 0, 1, 2, 3])
})

test.each([
  ['range', { stop: 2_000_000 }, 'at most 1000000'],
  ['range', { step: 0 }, 'must not be zero'],
  ['range_of_size', { size: 2_000_000 }, 'at most 1000000'],
  ['random_range', { low: 1, high: 1 }, 'low >= high'],
  ['random_range', { size: -1 }, 'negative'],
  ['float_range', { steps: -1 }, 'non-negative'],
])('%s refuses %j: %s', async (type, inputs, message) => {
  await expect(outputOf(type, inputs)).rejects.toThrow(message)
})
