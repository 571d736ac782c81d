import { expect, test } from 'vitest'
import { UndoStack } from './undo.ts'

test('undoes steps in reverse order', () => {
  const stack = new UndoStack()
  const undone: string[] = []
  stack.push(() => undone.push('first'))
  stack.push(() => undone.push('second'))

  const results = [stack.undoLast(), stack.undoLast(), stack.undoLast()]

  expect(undone).toEqual(['second', 'first'])
  expect(results).toEqual([true, true, false])
})

test('skips a step that was removed', () => {
  const stack = new UndoStack()
  const undone: string[] = []
  stack.push(() => undone.push('first'))
  const remove = stack.push(() => undone.push('second'))

  remove()
  stack.undoLast()

  expect(undone).toEqual(['first'])
})
