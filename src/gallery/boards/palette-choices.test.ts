import { expect, test } from 'vitest'
import { uncategorizedBoard } from '#client/index.ts'
import { paletteChoices } from './palette-choices.ts'

const board = (board_name: string) => ({
  ...uncategorizedBoard(),
  board_id: board_name,
  board_name,
})

const boards = ['Assets', 'Cats', 'Dogs', 'Old cats'].map(board)

const namesOf = (some: readonly { board_name: string }[]) =>
  some.map(({ board_name }) => board_name)

test('what was picked last comes first, once', () => {
  const { recent, others } = paletteChoices(boards, ['Dogs', 'gone', 'Cats'], '')

  expect(namesOf(recent)).toEqual(['Dogs', 'Cats'])
  expect(namesOf(others)).toEqual(['Assets', 'Old cats'])
})

test('what is typed narrows both', () => {
  const { recent, others } = paletteChoices(boards, ['Dogs', 'Cats'], 'cat')

  expect(namesOf(recent)).toEqual(['Cats'])
  expect(namesOf(others)).toEqual(['Old cats'])
})

test.each([
  ['', null],
  ['  ', null],
  ['Cats', null],
  ['cats', 'cats'],
  [' Birds ', 'Birds'],
])('for %j the new board would be %j', (typed, newName) => {
  expect(paletteChoices(boards, [], typed).newName).toBe(newName)
})

test('of a thousand boards a screenful is offered, and how many more there are', () => {
  const many = Array.from({ length: 1000 }, (_, index) => board(`Board ${index}`))

  const { others, leftOut } = paletteChoices(many, [], '')

  expect(others.length + leftOut).toBe(1000)
  expect(leftOut).toBeGreaterThan(900)
})
