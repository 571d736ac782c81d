import { expect, test } from 'vitest'
import { STARRED } from '#gallery/images/timeline/day-groups.ts'
import { labelOfGroup } from '#gallery/images/timeline/day-label.ts'
import {
  areGenerationsInPlace,
  generationsInBlock,
  generationsInDays,
  IN_PROGRESS,
} from './grid-generations.ts'
import { geometryOf } from './grid-geometry.ts'
import { layoutOf, leadFor, plainLayoutOf, withLead } from './grid-layout.ts'
import { columnOf, contentOfRow, positionIn, rowOf, topOfPosition } from './grid-rows.ts'

const geometry = geometryOf(828, 200) // 4 columns
const noon = new Date(2026, 4, 3, 12)
const days = [
  { key: '2026-05-03', count: 5 },
  { key: '2026-05-02', count: 3 },
]

test('places the first image in the cell after the running generations', () => {
  const layout = plainLayoutOf(geometry, 10, undefined, generationsInBlock(6, 4, true))

  expect([rowOf(layout, 0), columnOf(layout, 0)]).toEqual([1, 2])
  expect(contentOfRow(layout, 0)).toMatchObject({
    from: 0,
    to: -1,
    generations: { from: 0, to: 3 },
  })
  expect(contentOfRow(layout, 1)).toMatchObject({
    from: 0,
    to: 1,
    column: 2,
    generations: { from: 4, to: 5, column: 0 },
  })
  expect(contentOfRow(layout, 2)).toMatchObject({ from: 2, to: 5 })
})

test('moves no other image when an image replaces its generation tile', () => {
  const before = plainLayoutOf(geometry, 10, undefined, generationsInBlock(3, 4, true))
  const after = plainLayoutOf(geometry, 11, undefined, generationsInBlock(2, 4, true))

  for (let position = 0; position < 10; position += 1) {
    expect(topOfPosition(after, position + 1)).toBe(topOfPosition(before, position))
    expect(columnOf(after, position + 1)).toBe(columnOf(before, position))
  }
})

test('gives generation tiles separate rows if new images are inserted elsewhere', () => {
  const layout = plainLayoutOf(geometry, 10, undefined, generationsInBlock(3, 4, false))

  expect([rowOf(layout, 0), columnOf(layout, 0)]).toEqual([1, 0])
})

test('has a row for running generations in a view without images', () => {
  const layout = plainLayoutOf(geometry, 0, undefined, generationsInBlock(1, 4, true))

  expect(layout.rowCount).toBe(1)
  expect(contentOfRow(layout, 0)).toMatchObject({ to: -1, generations: { from: 0, to: 0 } })
  expect(positionIn(layout, 0, 3)).toBe(0)
})

test('adds generations to the group of today, which it creates if missing', () => {
  const inToday = generationsInDays(days, 2, true, { now: noon })
  const yesterday = days.slice(1)
  const starred = { key: STARRED, count: 2 }
  const keys = (groups: Parameters<typeof generationsInDays>[0]) =>
    generationsInDays(groups, 2, true, { now: noon }).groups.map(({ key }) => key)

  expect(inToday).toEqual({ groups: days, generations: { key: '2026-05-03', cells: 2 } })
  expect(keys(yesterday)).toEqual(['2026-05-03', '2026-05-02'])
  expect(keys([starred, ...yesterday])).toEqual([STARRED, '2026-05-03', '2026-05-02'])
  expect(columnOf(layoutOf(geometry, days, undefined, inToday.generations), 0)).toBe(2)
})

test('places generations above all days in any other order', () => {
  const { groups, generations } = generationsInDays(days, 2, false, { now: noon })
  const layout = layoutOf(geometry, groups, undefined, generations)

  expect(groups[0]).toEqual({ key: IN_PROGRESS, count: 0 })
  expect(rowOf(layout, 0)).toBe(3)
})

test('calls the group "Failed" when only failed items are left', () => {
  const { groups } = generationsInDays(days, 1, false, { areAllFailed: true, now: noon })

  expect(labelOfGroup(groups[0]?.key ?? '')).toBe('Failed')
})

test('counts generation cells in the lead that keeps an image in its column', () => {
  const layout = plainLayoutOf(geometry, 20, undefined, generationsInBlock(3, 4, true))

  const lead = leadFor(layout, 10, 2)

  expect(columnOf(withLead(layout, lead), 10)).toBe(2)
})

test.each([
  [{}, true],
  [{ orderBy: 'created_at' as const }, true],
  [{ orderDir: 'ASC' as const }, false],
  [{ orderBy: 'name' as const }, false],
])('in a view by %o shows generations where their images appear: %s', (order, isInPlace) => {
  const view = {
    boardId: 'none',
    query: '',
    orderDir: 'DESC',
    starredFirst: false,
    ...order,
  } as const
  const plain = { isByDay: false, hasStarredHead: false }

  expect(areGenerationsInPlace(view, plain)).toBe(isInPlace)
  expect(areGenerationsInPlace(view, { isByDay: false, hasStarredHead: true })).toBe(false)
  expect(areGenerationsInPlace(view, { isByDay: true, hasStarredHead: true })).toBe(isInPlace)
})
