import { expect, test } from 'vitest'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { comingOf, heldAfter } from './use-coming-images.ts'

const generation = (itemId: number, change: Partial<Generation> = {}): Generation => ({
  itemId,
  batchId: 'batch',
  status: 'pending',
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
  ...change,
})
/** No canceled items. */
const none: ReadonlySet<number> = new Set()
const idsOf = (generations: readonly Generation[]) => generations.map(({ itemId }) => itemId)

test('selects generations by board, for all boards, and none for a search', () => {
  const all = [generation(1), generation(2, { boardId: 'portraits' })]

  expect(idsOf(comingOf(all, 2, 'portraits', none).generations)).toEqual([2])
  expect(idsOf(comingOf(all, 2, null, none).generations)).toEqual([1, 2])
  expect(idsOf(comingOf(all, 2, undefined, none).generations)).toEqual([])
})

test('sorts completed generations before running ones, oldest first', () => {
  const done = (itemId: number) => generation(itemId, { status: 'completed' })

  expect(idsOf(comingOf([done(2), done(1), generation(3)], 1, 'none', none).generations)).toEqual([
    1, 2, 3,
  ])
})

test('counts the rest of a long queue for the board of its last known item', () => {
  const all = Array.from({ length: 100 }, (_, at) => generation(at))

  expect(comingOf(all, 5_000, 'none', none).unknownCount).toBe(4_900)
  expect(comingOf(all, 5_000, 'portraits', none).unknownCount).toBe(0)
  expect(comingOf(all.slice(0, 3), 3, 'none', none).unknownCount).toBe(0)
})

test('holds only running items that leave without an image', () => {
  const running = generation(1, { status: 'in_progress' })
  const saved = generation(2, { status: 'in_progress', imageNames: ['a.png'] })

  expect(idsOf(heldAfter([running, saved, generation(3)], [], none))).toEqual([1])
  expect(heldAfter([running], [generation(1, { status: 'completed' })], none)).toEqual([])
})
