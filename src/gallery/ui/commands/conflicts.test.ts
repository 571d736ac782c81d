import { expect, test } from 'vitest'
import { conflictOf } from './conflicts.ts'
import type { ListedCommand } from './registry.ts'

const listed = (id: string, scope: string, keys?: string): ListedCommand => ({
  id,
  name: id,
  scopes: [scope],
  ...(keys !== undefined && { keys }),
})

const star = listed('star', 'Images', 's')
const search = listed('search', 'Anywhere', '/')
const zoom = listed('zoom', 'Image viewer', '+')
const trash = listed('trash', 'Images', 'Delete')
const deleteForGood = listed('deleteForGood', 'Images', 'Delete')
const all = [star, search, zoom, trash, deleteForGood]

test.each([
  ['a command of the same part', star, 'Shift+Delete', {}, undefined],
  ['a command of the same part', star, 'Delete', {}, 'trash'],
  ['a command that works anywhere', star, '/', {}, 'search'],
  ['no command of a part that covers the other', star, '+', {}, undefined],
  ['a changed key', star, 'g', { trash: ['g'] }, 'trash'],
  ['no key that was switched off', star, '/', { search: [] }, undefined],
  ['no command with the same default key', trash, 'Delete', {}, undefined],
  ['not itself', star, 's', {}, undefined],
])('finds %s', (_, command, keys, changed, conflict) => {
  expect(conflictOf(command, keys, all, changed)?.id).toBe(conflict)
})
