/** Something that can be taken back. */
export interface Undoable {
  undo: () => void
}

/** How many steps can be taken back in turn. */
const MAX_STEPS = 50

const steps: Undoable[] = []

/** Puts a step on top of what Undo takes back. Returns what removes it again, wherever it is by then. */
export function pushUndo(step: Undoable): () => void {
  steps.push(step)
  if (steps.length > MAX_STEPS) steps.shift()
  return () => {
    const index = steps.indexOf(step)
    if (index >= 0) steps.splice(index, 1)
  }
}

/**
 * Takes the last step back that was not taken back yet.
 *
 * @returns Whether there was one.
 */
export function undoLast(): boolean {
  const step = steps.pop()
  step?.undo()
  return step !== undefined
}
