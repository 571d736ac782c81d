import { expect, test } from 'vitest'
import type { BatchDatum } from '#contract/queue/queue.ts'
import { dataFault, expandData } from './queue-expansion.ts'

const datum = (field_name: string, items?: BatchDatum['items']): BatchDatum => ({
  node_path: 'n',
  field_name,
  ...(items && { items }),
})

const valuesOf = (data: BatchDatum[][], runs = 1, limit = 100) => {
  const { requested, fieldValues } = expandData(data, runs, limit)
  return [requested, fieldValues.map((item) => item.map(({ value }) => value))]
}

test.each([
  ['one item per run without data', [], 2, 2, [[], []]],
  [
    'zips a group',
    [[datum('a', [1, 2]), datum('b', ['x', 'y'])]],
    1,
    2,
    [
      [1, 'x'],
      [2, 'y'],
    ],
  ],
  [
    'multiplies groups with the last one fastest',
    [[datum('a', [1, 2])], [datum('b', [10, 20, 30])]],
    1,
    6,
    [
      [1, 10],
      [1, 20],
      [1, 30],
      [2, 10],
      [2, 20],
      [2, 30],
    ],
  ],
  ['repeats everything for each run', [[datum('a', [1, 2])]], 2, 4, [[1], [2], [1], [2]]],
  ['no items for an empty group', [[]], 3, 0, []],
  ['no items for an empty list', [[datum('a', [])], [datum('b', [1])]], 1, 0, []],
  ['no items for an absent list', [[datum('a')]], 1, 0, []],
  ['accepts lists as values', [[datum('a', [[1, 2], [3]])]], 1, 2, [[[1, 2]], [[3]]]],
])('%s', (_what, data, runs, requested, values) => {
  expect(valuesOf(data, runs)).toEqual([requested, values])
})

test('counts items beyond the limit without creating them', () => {
  const groups = Array.from({ length: 6 }, (_, at) => [datum(String(at), [1, 2, 3])])

  expect(valuesOf(groups, 1_000_000_000, 2)).toEqual([
    729_000_000_000,
    [
      [1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 2],
    ],
  ])
})

test('assigns values to the inputs of each item', () => {
  expect(expandData([[datum('a', [{ image_name: 'x.png' }])]], 1, 1).fieldValues).toEqual([
    [{ node_path: 'n', field_name: 'a', value: { image_name: 'x.png' } }],
  ])
})

test.each([
  [[[datum('a', [1, 2]), datum('b', [1])]], 'Zipped batch items must all have the same length'],
  [[[datum('a', []), datum('b', [1])]], 'Zipped batch items must all have the same length'],
  [[[datum('a', [1, 'x'])]], 'All items in a batch must have the same type'],
  [[[datum('a', [[1], 1])]], 'All items in a batch must have the same type'],
  [
    [[datum('a', [1])], [datum('a', [2])]],
    'Each batch data must have unique node_id and field_name',
  ],
  [[[datum('a', [1, 1.5])], [datum('b', ['x'])]], null],
  [[[]], null],
])('%j: %s', (data, fault) => {
  expect(dataFault(data)).toBe(fault)
})
