import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalEntry } from '#gallery/api/journal/journal-state.ts'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { sentenceOf, stateWordsOf } from './history-words.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

test.each<[string, JournalEntry['action']]>([
  [
    'Moved 300 images from Clients/Acme to Archive',
    { aspect: 'board', wanted: 'x', count: 300, fromName: 'Clients/Acme', boardName: 'Archive' },
  ],
  ['Moved 2 images to Archive', { aspect: 'board', wanted: 'x', count: 2, boardName: 'Archive' }],
  [
    'Renamed “Old” to “New”',
    { aspect: 'board_name', wanted: 'New', count: 1, fromName: 'Old', boardName: 'New' },
  ],
  ['Created “Cats”', { aspect: 'board_created', wanted: true, count: 1, boardName: 'Cats' }],
  ['Archived “Cats”', { aspect: 'board_archived', wanted: true, count: 1, boardName: 'Cats' }],
  [
    'Deleted “Cats”, with 12 images',
    {
      aspect: 'board_trashed',
      wanted: 'with images',
      count: 1,
      boardName: 'Cats',
      imageCount: 12,
    },
  ],
  ['Uploaded 12 images to Mecha', { kind: 'upload', count: 12, boardName: 'Mecha' }],
  ['Imported 1,204 images', { kind: 'import', count: 1_204, boardName: '' }],
  ['Copied 1 image to Cats', { kind: 'copy', count: 1, boardName: 'Cats' }],
  ['Processed 9 images, results on Cats', { kind: 'process', count: 9, boardName: 'Cats' }],
  ['Changed the thumbnail of “boat.mp4”', { kind: 'poster', count: 1, fileName: 'boat.mp4' }],
])('says %j', (sentence, action) => {
  expect(sentenceOf({ action }).replaceAll(/[\u2068\u2069]/g, '')).toBe(sentence)
})

test.each<[string | undefined, Partial<JournalEntry>]>([
  [undefined, { state: 'done' }],
  ['Waiting', { isPending: true }],
  ['Undone', { state: 'undone' }],
  ['Undone, waiting', { state: 'undone', isPending: true }],
  ['Couldn’t undo. The disk is full.', { problem: 'The disk is full.' }],
  ['Undone in part. It was changed since.', { state: 'undone', problem: 'It was changed since.' }],
  ['Cannot be undone any more. It is gone.', { state: 'stale', problem: 'It is gone.' }],
])('describes the state as %j', (words, more) => {
  const entry = { state: 'done', isPending: false, ...more } as JournalEntry

  expect(stateWordsOf(entry)).toBe(words)
})
