import fc from 'fast-check'
import { generateKeyBetween } from 'fractional-indexing'
import { expect, test } from 'vitest'
import { type Board, uncategorizedBoard } from '#client/index.ts'
import { isOrderKey } from '#contract/order-key.ts'
import { inOrder } from './board-order.ts'
import { keyOf } from './board-position.ts'
import { boardTree } from './board-tree.ts'
import { dropOf, type Placement, stepOf } from './hand-order.ts'

/** Returns boards in this order, which were created one second after the other and never moved. */
const boardsNamed = (...names: string[]): Board[] =>
  names.map((board_name, at) => ({
    ...uncategorizedBoard(),
    board_id: board_name,
    board_name,
    created_at: `2026-11-01 00:00:${String(names.length - at).padStart(2, '0')}.000`,
  }))

const named = (boards: readonly Board[], name: string): Board => {
  const board = boards.find(({ board_name }) => board_name === name)
  if (board === undefined) throw new Error(`no board ${name}`)
  return board
}

const placed = (boards: readonly Board[], { board, position }: Placement): Board[] => {
  const moved = boards.map((other) => (other === board ? { ...other, position } : other))
  return inOrder(moved, 'hand')
}

/** Returns the labels of the rows after a move. null: the board cannot be moved there. */
const rowsAfter = (boards: readonly Board[], placement: Placement | null) =>
  placement && boardTree(placed(boards, placement), () => false).map(({ label }) => label)

const step = (boards: Board[], name: string, by: -1 | 1) =>
  rowsAfter(boards, stepOf(boards, named(boards, name), by))

const drop = (boards: Board[], name: string, edge: 'before' | 'after', target: string) => {
  const row = boardTree(boards, () => false).find(({ label }) => label === target)
  if (row === undefined) throw new Error(`no row ${target}`)
  return rowsAfter(boards, dropOf(boards, named(boards, name), row, edge))
}

test('moves a board by one row, with one key', () => {
  const boards = boardsNamed('a', 'b', 'c')

  expect(step(boards, 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(step(boards, 'b', -1)).toEqual(['b', 'a', 'c'])
  expect(step(boards, 'a', 1)).toEqual(['b', 'a', 'c'])
  expect(step(boards, 'a', -1)).toBeNull()
  expect(step(boards, 'c', 1)).toBeNull()
})

test('drops a board above or below a row, but not where it is', () => {
  const boards = boardsNamed('a', 'b', 'c')

  expect(drop(boards, 'c', 'before', 'a')).toEqual(['c', 'a', 'b'])
  expect(drop(boards, 'a', 'after', 'c')).toEqual(['b', 'c', 'a'])
  expect(drop(boards, 'a', 'before', 'b')).toBeNull()
  expect(drop(boards, 'a', 'after', 'a')).toBeNull()
})

test('passes a group as a whole', () => {
  const boards = boardsNamed('a', 'G/1', 'G/2', 'b')

  expect(step(boards, 'b', -1)).toEqual(['a', 'b', 'G', '1', '2'])
  expect(step(boards, 'a', 1)).toEqual(['G', '1', '2', 'a', 'b'])
  expect(drop(boards, 'b', 'before', 'G')).toEqual(['a', 'b', 'G', '1', '2'])
})

test('moves a board within its group, and leaves the group where it is', () => {
  const boards = boardsNamed('a', 'G/1', 'b', 'G/2')

  expect(step(boards, 'G/1', -1)).toBeNull()
  expect(step(boards, 'G/2', -1)).toEqual(['a', 'G', '2', '1', 'b'])
  expect(step(boards, 'G/1', 1)).toEqual(['a', 'G', '2', '1', 'b'])
  expect(drop(boards, 'G/2', 'before', 'a')).toBeNull()
})

test('keeps pinned boards above the others', () => {
  const boards = boardsNamed('pin', 'a', 'b').map((board) => ({
    ...board,
    starred: board.board_name === 'pin',
  }))

  expect(step(boards, 'a', -1)).toBeNull()
  expect(step(boards, 'pin', 1)).toBeNull()
  expect(drop(boards, 'b', 'after', 'pin')).toEqual(['pin', 'b', 'a'])
})

test('keeps any series of moves, of boards with equal and invalid keys too', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const keys = fc.constantFrom(null, '', 'a0', 'a0', 'a1', 'b', 'a10', 'Zz', '💥')
  const moves = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(-1 as const, 1)))
  fc.assert(
    fc.property(fc.array(keys, { minLength: 5, maxLength: 5 }), moves, (positions, series) => {
      const first: Board[] = boardsNamed(...names)
      let boards = inOrder(
        first.map((board, at) => ({ ...board, position: positions[at] ?? null })),
        'hand',
      )
      for (const [name, by] of series) {
        const placement = stepOf(boards, named(boards, name), by)
        if (placement) boards = placed(boards, placement)
      }
      expect(boards.map(keyOf).filter((key) => !isOrderKey(key))).toEqual([])
    }),
  )
})

test('accepts exactly the keys between which the library finds others', () => {
  const digits = fc.constantFrom(...'0019AZaz')
  const texts = fc.string({ unit: digits, maxLength: 40 })
  const isAccepted = (key: string) => {
    try {
      generateKeyBetween(key, null)
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(fc.oneof(texts, fc.constant(`A${'0'.repeat(26)}`)), (key) => {
      expect(isOrderKey(key)).toBe(key !== '' && isAccepted(key))
    }),
  )
  expect(isOrderKey(`a0${'V'.repeat(300)}`)).toBe(false)
  expect(isOrderKey('a0é1')).toBe(false)
})
