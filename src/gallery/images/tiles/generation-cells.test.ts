import { expect, test } from 'vitest'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { generationCellsOf, roomFor, shownImageOf } from './generation-cells.ts'

const generation = (itemId: number, status: Generation['status'] = 'pending'): Generation => ({
  itemId,
  batchId: 'batch',
  status,
  ahead: null,
  boardId: 'none',
  sizePx: null,
  step: null,
  fraction: null,
  preview: null,
  sessionId: null,
  imageNames: [],
  fault: null,
  since: 0,
})

/** Returns the cells as text: `1 2 3 +7` for items 1 to 3 and seven more. */
const cells = (
  generations: readonly Generation[],
  {
    room = 4,
    shown = [],
    unknownCount = 0,
  }: Partial<Record<'room' | 'unknownCount', number>> & { shown?: number[] } = {},
) =>
  generationCellsOf({ generations, unknownCount }, room, new Set(shown))
    .map((cell) => (cell.generation ? cell.generation.itemId : `+${cell.moreCount}`))
    .join(' ')

const queue = (from: number, to: number) => [
  generation(from, 'in_progress'),
  ...Array.from({ length: to - from }, (_, at) => generation(from + 1 + at)),
]

test.each([
  ['is listed before its event', { imageNames: [], sessionId: 's' }, 'new.png'],
  ['is named by its event', { imageNames: ['new.png'], sessionId: 's' }, 'new.png'],
  ['is the second of its session', { imageNames: ['old.png'], sessionId: 's' }, 'new.png'],
  ['is named only by its event', { imageNames: ['old.png'], sessionId: null }, 'old.png'],
  ['is not listed yet', { imageNames: ['x.png'], sessionId: 't' }, undefined],
  ['is not generated yet', { imageNames: [], sessionId: null }, undefined],
] as const)('finds an image that %s', (_when, made, shown) => {
  const front = [
    { image_name: 'new.png', session_id: 's' },
    undefined,
    { image_name: 'old.png', session_id: null },
  ]

  expect(shownImageOf(made, front)).toBe(shown)
})

test('gives each item of a short queue a tile', () => {
  expect(cells(queue(1, 3))).toBe('1 2 3')
})

test('counts the rest of a long queue in one tile', () => {
  expect(cells(queue(1, 10))).toBe('1 2 3 4 +6')
  expect(cells(queue(1, 10), { unknownCount: 990 })).toBe('1 2 3 4 +996')
})

test('adds no tiles to a long queue while a shown item is pending', () => {
  expect(cells(queue(2, 10), { shown: [1, 2, 3, 4] })).toBe('2 3 4 +6')
  expect(cells(queue(4, 10), { shown: [3, 4] })).toBe('4 5 6 7 +3')
})

test('gives a prepended item a tile at once', () => {
  const prepended = [generation(20, 'in_progress'), ...queue(2, 10).slice(1)]

  expect(cells(prepended, { shown: [1, 2, 3, 4] })).toBe('20 3 4 5 +5')
})

test('places failures last, and shows two of them however long the queue is', () => {
  const failed = [31, 32, 33].map((itemId) => generation(itemId, 'failed'))

  expect(cells([...queue(1, 2), ...failed])).toBe('1 2 +1 31 32')
  expect(cells([...queue(1, 10), ...failed])).toBe('1 2 +9 31 32')
  expect(cells(failed)).toBe('31 32 33')
})

test.each([
  [7, false, 12],
  [3, false, 5],
  [7, true, 6],
  [1, false, 1],
  [1, true, 1],
])('fits for %i columns, in separate rows %s, %i tiles', (columns, isShelf, room) => {
  expect(roomFor(columns, isShelf)).toBe(room)
})
