import { expect, test } from 'vitest'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { announcementOf } from './announcement.ts'
import { completedBetween } from './follow-generations.ts'

const running: Generation = {
  itemId: 1,
  batchId: 'batch',
  status: 'in_progress',
  ahead: null,
  boardId: 'portraits',
  sizePx: null,
  step: null,
  fraction: null,
  preview: null,
  sessionId: null,
  imageNames: [],
  fault: null,
  since: 0,
}
const next: Generation = { ...running, itemId: 2, status: 'pending', ahead: 1 }
const failed: Generation = { ...running, status: 'failed', fault: 'Out of memory' }
const nameOfBoard = (id: string) => id.toUpperCase()

test.each([
  ['begins', [], [running, next], 'Generating on PORTRAITS'],
  ['goes on', [running, next], [next], ''],
  ['ends', [{ ...next, imageNames: ['a.png'] }], [], 'Finished generating on PORTRAITS'],
  ['is canceled', [running, next], [], 'Stopped generating on PORTRAITS'],
  ['has nothing left but a failure', [running], [failed], 'Stopped generating on PORTRAITS'],
])('announces once when a board %s', (_, before, after, announcement) => {
  expect(announcementOf(before, after, nameOfBoard)).toBe(announcement)
})

test('returns the new image when its generation is no longer shown', () => {
  const made = { ...running, imageNames: ['first.png', 'last.png'] }

  expect(completedBetween([made, next], [next])).toEqual([
    { imageName: 'last.png', boardId: 'portraits' },
  ])
  expect(completedBetween([running], [])).toEqual([])
  expect(completedBetween([made], [made])).toEqual([])
})
