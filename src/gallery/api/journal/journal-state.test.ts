import { expect, test } from 'vitest'
import {
  applyChange,
  type JournalEntries,
  type JournalEntry,
  MAX_ENTRIES,
  nextToRedo,
  nextToUndo,
  routeTo,
} from './journal-state.ts'

const entry = (id: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  id,
  at: 0,
  action: { aspect: 'starred', wanted: true, count: 1 },
  thumbnails: [],
  nameCount: 1,
  tab: 'tab',
  state: 'done',
  isPending: false,
  ...more,
})

const undone = (id: string, undoneAt: number) => entry(id, { state: 'undone', undoneAt })

const idsOf = (entries: JournalEntries) => entries.map(({ id }) => id)

const add = (entries: JournalEntries, added: JournalEntry) =>
  applyChange(entries, { kind: 'add', entry: added })

test('ends the possibility of a redo with a new action', () => {
  const entries = add([entry('a'), undone('b', 1)], entry('c'))

  expect(idsOf(entries)).toEqual(['a', 'c'])
  expect(nextToRedo(entries)).toBeUndefined()
})

test('holds the last 200 actions', () => {
  const all = Array.from({ length: MAX_ENTRIES }, (_, at) => entry(`${at}`))

  const entries = add(all, entry('new'))

  expect(entries).toHaveLength(MAX_ENTRIES)
  expect(idsOf(entries).slice(0, 1)).toEqual(['1'])
})

test('drops old actions with many images, but never the new one', () => {
  const large = { nameCount: 600_000 }

  const entries = add([entry('a'), entry('b', large)], entry('c', { nameCount: 2_000_000 }))

  expect(idsOf(entries)).toEqual(['c'])
  expect(idsOf(add([entry('a', large)], entry('b', { nameCount: 400_000 })))).toEqual(['a', 'b'])
})

test('undoes the latest action, and passes over one that can no longer be undone', () => {
  expect(nextToUndo([entry('a'), entry('b', { state: 'stale' }), undone('c', 1)])?.id).toBe('a')
})

test('redoes the action that was undone last', () => {
  expect(nextToRedo([undone('a', 2), undone('b', 1)])?.id).toBe('a')
})

test.each([
  ['the latest', 'c', { verb: 'undo', ids: [] }],
  ['an earlier action', 'a', { verb: 'undo', ids: ['c', 'b'] }],
  ['the start', null, { verb: 'undo', ids: ['c', 'b', 'a'] }],
  ['an undone action', 'e', { verb: 'redo', ids: ['d', 'e'] }],
])('finds the steps to %s', (_, id, route) => {
  const entries = [entry('a'), entry('b'), entry('c'), undone('d', 2), undone('e', 1)]

  expect(routeTo(entries, id)).toEqual(route)
})
