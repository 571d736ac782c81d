import { expect, test } from 'vitest'
import { entriesFor, type PaletteEntry } from './palette-entries.ts'

const command = (id: string, name: string, about?: string): PaletteEntry => ({
  id,
  name,
  about,
  heading: 'Commands',
})
const place = (name: string): PaletteEntry => ({ id: `place:${name}`, name, heading: 'Places' })

const entries = [
  command('starredFirst', 'Starred first', 'off'),
  { ...command('star', 'Star', ''), words: 'Star or unstar' },
  command('dark', 'Theme: Dark'),
  command('rename', 'Rename the board', 'Castles'),
  place('Castles'),
  place('Stars'),
]

const idsFor = (typed: string, recentIds: string[] = []) =>
  [...entriesFor(entries, recentIds, typed).values()].flat().map(({ id }) => id)

test('lists recent entries first, each once, and ignores those that are gone', () => {
  const groups = entriesFor(entries, ['place:Stars', 'gone', 'star'], '')

  expect([...groups.keys()]).toEqual(['Recent', 'Commands', 'Places'])
  expect(groups.get('Recent')?.map(({ id }) => id)).toEqual(['place:Stars', 'star'])
  expect(idsFor('', ['star']).filter((id) => id === 'star')).toHaveLength(1)
})

test.each([
  ['star', ['star', 'starredFirst', 'place:Stars']],
  ['unstar', ['star']],
  ['thdk', ['dark']],
  ['castles', ['place:Castles', 'rename']],
  ['xyz', []],
])('finds the best matches of %s first', (typed, ids) => {
  expect(idsFor(typed)).toEqual(ids)
})

test('renders few of many places', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => place(`Board ${index}`))

  expect(entriesFor(many, [], '').get('Places')).toHaveLength(12)
  expect(entriesFor(many, [], 'board').get('Results')).toHaveLength(50)
})
