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

test('lists the last chosen board first, without repeating it', () => {
  const { recent, others } = paletteChoices(boards, ['Dogs', 'gone', 'Cats'], '')

  expect(namesOf(recent)).toEqual(['Dogs', 'Cats'])
  expect(namesOf(others)).toEqual(['Assets', 'Old cats'])
})

test('ranks an exact match first, then prefixes, then other matches', () => {
  const some = ['Clients/Initech/Drafts', 'Overdrafts', 'Drafts 2', 'Drafts'].map(board)

  const { recent, others } = paletteChoices(some, ['Overdrafts'], 'drafts')

  expect(namesOf(recent)).toEqual([])
  expect(namesOf(others)).toEqual(['Drafts', 'Drafts 2', 'Clients/Initech/Drafts', 'Overdrafts'])
})

test('ranks the last chosen of equal matches first', () => {
  const some = ['Cats 1', 'Cats 2'].map(board)

  expect(namesOf(paletteChoices(some, ['Cats 2'], 'cats').others)).toEqual(['Cats 2', 'Cats 1'])
})

test.each([
  ['', null],
  ['  ', null],
  ['Cats', null],
  ['cats', 'cats'],
  [' Birds ', 'Birds'],
])('offers for %j the new board %j', (typed, newName) => {
  expect(paletteChoices(boards, [], typed).newName).toBe(newName)
})

test('limits the choices and counts the others', () => {
  const many = Array.from({ length: 1000 }, (_, index) => board(`Board ${index}`))

  const { others, leftOut } = paletteChoices(many, [], '')

  expect(others.length + leftOut).toBe(1000)
  expect(leftOut).toBeGreaterThan(900)
})
