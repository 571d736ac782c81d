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

test('the board chosen last comes first, once', () => {
  const { recent, others } = paletteChoices(boards, ['Dogs', 'gone', 'Cats'], '')

  expect(namesOf(recent)).toEqual(['Dogs', 'Cats'])
  expect(namesOf(others)).toEqual(['Assets', 'Old cats'])
})

test('while a name is typed, an exact match comes first, then a prefix, then other matches', () => {
  const some = ['Clients/Initech/Drafts', 'Overdrafts', 'Drafts 2', 'Drafts'].map(board)

  const { recent, others } = paletteChoices(some, ['Overdrafts'], 'drafts')

  expect(namesOf(recent)).toEqual([])
  expect(namesOf(others)).toEqual(['Drafts', 'Drafts 2', 'Clients/Initech/Drafts', 'Overdrafts'])
})

test('of equal matches the one chosen last comes first', () => {
  const some = ['Cats 1', 'Cats 2'].map(board)

  expect(namesOf(paletteChoices(some, ['Cats 2'], 'cats').others)).toEqual(['Cats 2', 'Cats 1'])
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
