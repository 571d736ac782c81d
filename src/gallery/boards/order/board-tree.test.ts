import { expect, test } from 'vitest'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { type BoardTreeRow, boardTree, groupsOf, nameInGroup } from './board-tree.ts'

const boardOf = (board_name: string, image_count = 1) =>
  ({ board_id: board_name, board_name, image_count, video_count: 0 }) as Board

const treeOf = (names: readonly string[], folded: readonly string[] = []) =>
  boardTree(
    names.map((name) => boardOf(name)),
    (path) => folded.includes(path),
  )

const drawn = (rows: readonly BoardTreeRow[]) =>
  rows.map(
    ({ kind, label, depth }) => `${'  '.repeat(depth)}${label}${kind === 'group' ? '/' : ''}`,
  )

test('puts boards into groups by their names, in the order of the list', () => {
  const names = ['Sky', 'Clients/Acme/Web', 'Castles', 'Clients/Beta', 'Clients/Acme/Print']

  expect(drawn(treeOf(names))).toEqual([
    'Sky',
    'Clients/',
    '  Acme/',
    '    Web',
    '    Print',
    '  Beta',
    'Castles',
  ])
})

test('hides the boards of a folded group', () => {
  const names = ['Clients/Acme/Web', 'Clients/Acme/Print', 'Clients/Beta', 'Sky']

  expect(drawn(treeOf(names, ['Clients/Acme']))).toEqual(['Clients/', '  Acme/', '  Beta', 'Sky'])
  expect(drawn(treeOf(names, ['Clients']))).toEqual(['Clients/', 'Sky'])
})

test('adds up the images and boards of a group at any depth', () => {
  const boards = [boardOf('A/B/x', 2), boardOf('A/B/y', 3), boardOf('A/z', 4), boardOf('w', 9)]

  const [group, inner] = boardTree(boards, () => false)

  expect(group).toMatchObject({ path: 'A', boardCount: 3, imageCount: 9 })
  expect(inner).toMatchObject({ path: 'A/B', boardCount: 2, imageCount: 5 })
})

test('gives a group that contains only a group one row', () => {
  const rows = treeOf(['Work/Clients/Acme', 'Work/Clients/Beta'])

  expect(drawn(rows)).toEqual(['Work/Clients/', '  Acme', '  Beta'])
  expect(rows[0]).toMatchObject({ path: 'Work/Clients' })
})

test.each([
  { name: 'Clients/Acme/Web', groups: ['Clients', 'Clients/Acme'] },
  { name: ' Clients / Acme ', groups: ['Clients'] },
  { name: '/Sky/', groups: [] },
  { name: '//', groups: [] },
])('finds the groups of “$name”', ({ name, groups }) => {
  expect(groupsOf(name)).toEqual(groups)
})

test('shows a name of separators only', () => {
  expect(drawn(treeOf(['//']))).toEqual(['//'])
})

test.each([
  { name: 'Sky', path: 'Clients', moved: 'Clients/Sky' },
  { name: 'Old/Sky', path: 'Clients/Acme', moved: 'Clients/Acme/Sky' },
  { name: 'Old/Sky', path: '', moved: 'Sky' },
])('names “$name” in the group “$path”', ({ name, path, moved }) => {
  expect(nameInGroup(name, path)).toBe(moved)
})
