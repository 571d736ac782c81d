import { expect, test } from 'vitest'
import { type Board, uncategorizedBoard } from '#client/index.ts'
import { inOrder, matching } from './board-order.ts'

const board = (board_name: string, more: Partial<Board> = {}) => ({
  ...uncategorizedBoard(),
  board_id: `id of ${board_name}`,
  board_name,
  created_at: '2026-11-01 00:00:00.000',
  ...more,
})

const namesOf = (boards: { board_name: string }[]) => boards.map(({ board_name }) => board_name)

test('compares numbers in names by value, and ignores case', () => {
  const boards = [board('Board 10'), board('board 2'), board('Atlas')]

  expect(namesOf(inOrder(boards, 'name'))).toEqual(['Atlas', 'board 2', 'Board 10'])
})

test('sorts the newest board first', () => {
  const boards = [
    board('old', { created_at: '2026-01-01 00:00:00.000' }),
    board('new', { created_at: '2026-11-21 00:00:00.000' }),
  ]

  expect(namesOf(inOrder(boards, 'created'))).toEqual(['new', 'old'])
})

test('sorts the board with the latest added image first, and boards without one last', () => {
  const boards = [
    board('empty'),
    board('old', { last_added_at: '2026-01-01 00:00:00.000' }),
    board('new', { last_added_at: '2026-11-21 00:00:00.000' }),
    board('also empty', { last_added_at: null }),
  ]

  expect(namesOf(inOrder(boards, 'added'))).toEqual(['new', 'old', 'also empty', 'empty'])
})

test('sorts boards that were never moved by date in the order by hand', () => {
  const boards = [
    board('old', { created_at: '2026-01-01 00:00:00.000' }),
    board('new', { created_at: '2026-11-21 00:00:00.000', position: 'not a key' }),
  ]

  expect(namesOf(inOrder(boards, 'hand'))).toEqual(['new', 'old'])
})

test('sorts the fullest board first, and equal ones by name', () => {
  const boards = [board('b'), board('full', { image_count: 9 }), board('a')]

  expect(namesOf(inOrder(boards, 'count'))).toEqual(['full', 'a', 'b'])
})

test.each(['created', 'added', 'name', 'count', 'hand'] as const)(
  'sorts pinned boards first: %s',
  (order) => {
    const boards = [
      board('a', { image_count: 9 }),
      board('z', { starred: true }),
      board('y', { starred: true }),
    ]

    expect(namesOf(inOrder(boards, order))).toEqual(['y', 'z', 'a'])
  },
)

test.each([
  ['', ['Ölbilder, groß', 'Portraits 2', 'Clients/Acme']],
  ['olb', ['Ölbilder, groß']],
  ['2 port', ['Portraits 2']],
  ['ACME', ['Clients/Acme']],
  ['nothing', []],
])('finds boards by words of their names: %s', (typed, found) => {
  const boards = [board('Ölbilder, groß'), board('Portraits 2'), board('Clients/Acme')]

  expect(namesOf(matching(boards, typed))).toEqual(found)
})
