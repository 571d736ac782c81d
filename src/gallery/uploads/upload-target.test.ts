import { expect, test } from 'vitest'
import { isShownIn, uploadTargetOf } from './upload-target.ts'

test.each(['none', 'all', 'trash'])('what is added at %s goes on no board', (board) => {
  expect(uploadTargetOf(board)).toEqual({ boardId: null, label: 'Assets' })
})

test('what is added at a board goes there', () => {
  expect(uploadTargetOf('b1', 'Portraits')).toEqual({ boardId: 'b1', label: 'Portraits' })
})

test.each([
  { open: 'b1', boardId: 'b1', isShown: true },
  { open: 'all', boardId: 'b1', isShown: false },
  { open: 'b2', boardId: 'b1', isShown: false },
  { open: 'none', boardId: null, isShown: true },
  { open: 'all', boardId: null, isShown: true },
  { open: 'trash', boardId: null, isShown: false },
])('with $open open, an upload to $boardId is shown: $isShown', ({ open, boardId, isShown }) => {
  expect(isShownIn(open, { boardId, label: '' })).toBe(isShown)
})
