import { expect, test } from 'vitest'
import type { Board } from '#client/index.ts'
import { originOf } from './trash-origin.ts'

const board = (board_id: string, board_name: string) => ({ board_id, board_name }) as Board
const boards = [board('a', 'Castles')]
const trashed = [board('b', 'Portraits')]

test.each([
  [null, 'Assets', false],
  ['a', 'Castles', false],
  ['b', 'Portraits', true],
  ['c', undefined, false],
])('finds the board %j', (board_id, boardName, isBoardTrashed) => {
  expect(originOf(boards, trashed, { board_id })).toEqual({ boardName, isBoardTrashed })
})
