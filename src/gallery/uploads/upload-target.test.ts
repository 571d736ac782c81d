import { expect, test } from 'vitest'
import { isShownIn, uploadTargetOf } from './upload-target.ts'

test.each(['none', 'all', 'trash'])('uploads at %s are uncategorized', (board) => {
  expect(uploadTargetOf(board)).toEqual({ boardId: null, label: 'Assets' })
})

test('uploads at a board go to that board', () => {
  expect(uploadTargetOf('b1', 'Portraits')).toEqual({ boardId: 'b1', label: 'Portraits' })
})

test.each([
  { open: 'b1', boardId: 'b1', isShown: true },
  { open: 'all', boardId: 'b1', isShown: false },
  { open: 'b2', boardId: 'b1', isShown: false },
  { open: 'none', boardId: null, isShown: true },
  { open: 'all', boardId: null, isShown: true },
  { open: 'trash', boardId: null, isShown: false },
])(
  'isShownIn with $open open and an upload to $boardId: $isShown',
  ({ open, boardId, isShown }) => {
    expect(isShownIn(open, { boardId, label: '' })).toBe(isShown)
  },
)
