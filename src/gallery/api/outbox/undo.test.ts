import { expect, test } from 'vitest'
import { pushUndo, undoLast } from './undo.ts'

test('steps are taken back in turn, the last first', () => {
  const undone: string[] = []
  pushUndo({ undo: () => undone.push('first') })
  pushUndo({ undo: () => undone.push('second') })

  const results = [undoLast(), undoLast(), undoLast()]

  expect(undone).toEqual(['second', 'first'])
  expect(results).toEqual([true, true, false])
})

test('a step that was taken back elsewhere is passed over', () => {
  const undone: string[] = []
  pushUndo({ undo: () => undone.push('first') })
  const remove = pushUndo({ undo: () => undone.push('second') })

  remove()
  undoLast()

  expect(undone).toEqual(['first'])
})
