import { expect, test } from 'vitest'
import type { BulkChange } from '#gallery/api/outbox/bulk-changes.ts'
import { detailOf, titleOf } from './bulk-words.ts'

const moving: BulkChange = {
  id: 1,
  action: { aspect: 'board', wanted: 'b1', count: 5_000, boardName: 'Portraits' },
  state: 'running',
  doneCount: 3_200,
  canceledCount: 0,
  failed: [],
  canUndo: true,
}

const failed = Array.from({ length: 25 }, (_, at) => ({
  name: `${at}.png`,
  fileName: undefined,
  reason: 'It no longer exists.',
}))

test('describes a running change with its progress and the time left', () => {
  expect(titleOf(moving)).toBe('Moving 5,000 images to Portraits')
  expect(detailOf(moving, 7_500)).toBe('3,200 of 5,000 · 8 s left')
  expect(detailOf({ ...moving, failed }, null)).toBe('3,200 of 5,000 · 25 failed')
})

test('describes a paused change', () => {
  expect(titleOf({ ...moving, state: 'paused' })).toBe('Paused: moving 5,000 images to Portraits')
})

test.each<[Partial<BulkChange>, string, string]>([
  [
    { canceledCount: 1_800 },
    '3,200 moved, 1,800 not moved',
    'Canceled · 5,000 images to Portraits',
  ],
  [{ doneCount: 4_975, failed }, '4,975 moved, 25 failed', '5,000 images to Portraits'],
  [
    { doneCount: 0, canceledCount: 5_000 },
    '5,000 not moved',
    'Canceled · 5,000 images to Portraits',
  ],
])('describes the result %j', (result, title, detail) => {
  const ended = { ...moving, ...result, state: 'ended' } as const

  expect(titleOf(ended)).toBe(title)
  expect(detailOf(ended, null)).toBe(detail)
})

test('names images that are restored to a board', () => {
  const action = { ...moving.action, aspect: 'trashed' } as const
  const ended = { ...moving, action, state: 'ended', canceledCount: 1_800 } as const

  expect(titleOf(ended)).toBe('3,200 restored, 1,800 not restored')
})
