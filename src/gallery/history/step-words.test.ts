import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StepAction } from '#gallery/api/outbox/outbox-events.ts'
import { setLocale } from '#gallery/ui/text/locale.ts'
import {
  wordsOfGoneParts,
  wordsOfNothing,
  wordsOfParts,
  wordsOfRefused,
  wordsOfTaken,
  wordsOfUndone,
} from './step-words.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const action = (more: Partial<StepAction>): StepAction => ({
  aspect: 'board',
  wanted: 'x',
  count: 1,
  ...more,
})

test.each<[Partial<StepAction>, string]>([
  [{ aspect: 'board', boardName: 'Portraits', count: 40 }, 'Moved 40 images to Portraits'],
  [{ aspect: 'board', boardName: 'Assets' }, 'Moved 1 image to Assets'],
  [{ aspect: 'starred', wanted: true, count: 3 }, 'Starred 3 images'],
  [{ aspect: 'trashed', wanted: true, count: 1500 }, 'Moved 1,500 images to the trash'],
  [{ aspect: 'trashed', wanted: false, count: 2 }, 'Restored 2 images'],
  [{ aspect: 'trashed', wanted: 'x', boardName: 'Cats' }, 'Restored 1 image to Cats'],
  [{ aspect: 'trash_restored', count: 3, boardCount: 1 }, 'Restored 3 images and 1 board'],
  [{ aspect: 'trash_restored', count: 0, boardCount: 2 }, 'Restored 2 boards'],
  [{ aspect: 'board_name', boardName: 'New' }, 'Renamed to “New”'],
  [{ aspect: 'board_position', boardName: 'Cats' }, 'Moved “Cats” in the list'],
  [{ aspect: 'board_name', group: 'A', boardName: 'B' }, 'Renamed the group “A” to “B”'],
  [{ aspect: 'board_archived', group: 'A', count: 5 }, 'Archived 5 boards of “A”'],
  [{ aspect: 'board_trashed', group: 'A' }, 'Deleted the group “A” with 1 board'],
])('describes %j', (what, title) => {
  expect(wordsOfTaken(action(what))?.title).toBe(title)
})

test('shows no toast for a single star', () => {
  expect(wordsOfTaken(action({ aspect: 'starred', wanted: true }))).toBeNull()
  expect(wordsOfTaken(action({ aspect: 'starred', wanted: false }))).toBeNull()
})

test('shows a toast for a single image that leaves a view of starred images', () => {
  const words = wordsOfTaken(action({ aspect: 'starred', wanted: false }), true)

  expect(words?.title).toBe('Unstarred 1 image')
})

test('says how many boards of a group could not be changed', () => {
  const what = action({ aspect: 'board_name', group: 'A', boardName: 'B', count: 5 })

  expect(wordsOfRefused(what, 2)).toBe('2 of 5 boards could not be renamed')
})

test('describes where the images of a deleted board are', () => {
  const what = { aspect: 'board_trashed', boardName: 'Cats', imageCount: 2431 } as const

  expect(wordsOfTaken(action({ ...what, wanted: 'without images' }))).toEqual({
    title: 'Deleted “Cats”',
    description: '2,431 images are in Assets now',
  })
  expect(wordsOfTaken(action({ ...what, wanted: 'with images' }))?.description).toBe(
    'with 2,431 images',
  )
})

test('describes the progress of a board deletion in parts', () => {
  const what = { aspect: 'board_trashed', boardName: 'Cats', imageCount: 12_000 } as const
  const withImages = action({ ...what, wanted: 'with images' })
  const withoutImages = action({ ...what, wanted: 'without images' })

  expect(wordsOfParts(withImages, 5000)).toEqual({
    title: 'Deleting “Cats”…',
    description: '5,000 of 12,000 images',
  })
  expect(wordsOfGoneParts(withImages, 5000)).toBe(
    '5,000 of 12,000 images are in the trash already.',
  )
  expect(wordsOfGoneParts(withoutImages, 15_000)).toBe(
    '12,000 of 12,000 images are in Assets already.',
  )
  expect(wordsOfGoneParts(withImages, 0)).toBeUndefined()
})

test.each<[Partial<StepAction>, string]>([
  [{ aspect: 'board', boardName: 'Portraits' }, 'Moving 20,000 images to Portraits…'],
  [{ aspect: 'starred', wanted: true }, 'Starring 20,000 images…'],
  [{ aspect: 'starred', wanted: false }, 'Unstarring 20,000 images…'],
  [{ aspect: 'trashed', wanted: true }, 'Moving 20,000 images to the trash…'],
  [{ aspect: 'trashed', wanted: false }, 'Restoring 20,000 images…'],
])('describes the progress of %j in parts', (what, title) => {
  const many = action({ ...what, count: 20_000 })

  expect(wordsOfParts(many, 5000)).toEqual({ title, description: '5,000 of 20,000 images' })
  expect(wordsOfGoneParts(many, 5000)).toBeUndefined()
})

test('describes an undone change, including a single star', () => {
  const unstarred = action({ aspect: 'starred', wanted: false, count: 1 })

  expect(wordsOfTaken(unstarred)).toBeNull()
  expect(wordsOfUndone(unstarred)).toBe('Undid: unstarred 1 image')
  expect(wordsOfUndone(action({ boardName: 'Cats', count: 2 }))).toBe(
    'Undid: moved 2 images to Cats',
  )
})

test('says how many images already have the rating or a better one', () => {
  const rated = action({ aspect: 'rating', wanted: 4, count: 1, leftOutCount: 2 })

  expect(wordsOfTaken(rated)).toEqual({
    title: 'Rated 1 image with 4 stars',
    description: '2 images already have at least 4 stars',
  })
  expect(wordsOfNothing(action({ ...rated, leftOutCount: 1 }))).toBe(
    '1 image already has at least 4 stars',
  )
  expect(wordsOfNothing(action({ ...rated, wanted: 5 }))).toBe('2 images already have 5 stars')
})

test.each<[StepAction['aspect'], boolean, string]>([
  ['duplicates_resolved', true, 'The duplicates of 2 of 3 groups could not be deleted'],
  ['duplicates_resolved', false, 'The duplicates of 2 of 3 groups could not be restored'],
  ['duplicates_dismissed', true, '2 of 3 groups could not be marked as not duplicates'],
  ['duplicates_dismissed', false, '2 of 3 groups could not be marked as duplicates'],
])('describes groups whose change was refused: %s %s', (aspect, wanted, title) => {
  expect(wordsOfRefused(action({ aspect, wanted, count: 3 }), 2)).toBe(title)
})

test('describes a drop that changes nothing', () => {
  expect(wordsOfNothing(action({ boardName: 'Cats', count: 2 }))).toBe(
    'These images are already on Cats',
  )
})

test('describes refused changes with their number', () => {
  expect(wordsOfRefused(action({ boardName: 'Cats', count: 300 }), 3)).toBe(
    '3 of 300 images could not be moved to Cats',
  )
  expect(wordsOfRefused(action({ aspect: 'board_name', boardName: 'Cats' }), 1)).toBe(
    '“Cats” could not be renamed',
  )
})
