import { expect, test } from 'vitest'
import { groupOf, partsOf, targetOf } from './duplicate-requests.ts'

const group = (id: string, ...names: readonly string[]) => ({ id, names })

test('reads the group of a target', () => {
  const fox = group('1', 'fox.png', 'fox small.png')
  expect(groupOf(targetOf(fox))).toEqual(fox)
  const dismissed = group('', 'a.png', 'b.png')
  expect(groupOf(targetOf(dismissed))).toEqual(dismissed)
})

test('divides groups by the number of their names, a large one alone', () => {
  const groups = [group('1', 'a', 'b'), group('2', 'c', 'd', 'e', 'f'), group('3', 'g', 'h')]
  const parts = partsOf(groups, 3)
  expect(parts.map((part) => part.map(({ id }) => id))).toEqual([['1'], ['2'], ['3']])
  expect(partsOf(groups, 6).map((part) => part.length)).toEqual([2, 1])
})

test('sends no image twice in one request', () => {
  const groups = [group('1', 'a', 'b'), group('2', 'b', 'c'), group('3', 'd', 'e')]
  expect(partsOf(groups).map((part) => part.map(({ id }) => id))).toEqual([['1'], ['2', '3']])
})
