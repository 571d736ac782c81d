import { expect, test } from 'vitest'
import { pushUndo, undoLast } from './undo.ts'

test('undoes steps in reverse order', () => {
  const undone: string[] = []
  pushUndo({ undo: () => undone.push('first') })
  pushUndo({ undo: () => undone.push('second') })

  const results = [undoLast(), undoLast(), undoLast()]

  expect(undone).toEqual(['second', 'first'])
  expect(results).toEqual([true, true, false])
})

test('skips a step that was removed', () => {
  const undone: string[] = []
  pushUndo({ undo: () => undone.push('first') })
  const remove = pushUndo({ undo: () => undone.push('second') })

  remove()
  undoLast()

  expect(undone).toEqual(['first'])
})
