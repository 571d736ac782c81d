import { useSyncExternalStore } from 'react'

/** Something that can be taken back. */
export interface Undoable {
  undo: () => void
}

/** The most steps that can be undone, one after another. */
const MAX_STEPS = 50

const steps: Undoable[] = []
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

/** True if {@link undoLast} has something to undo. Re-renders when that changes. */
export const useCanUndo = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => steps.length > 0,
  )

/** Adds a step that Undo takes back first. Returns a function that removes the step. */
export function pushUndo(step: Undoable): () => void {
  steps.push(step)
  if (steps.length > MAX_STEPS) steps.shift()
  notify()
  return () => {
    const index = steps.indexOf(step)
    if (index < 0) return
    steps.splice(index, 1)
    notify()
  }
}

/**
 * Undoes the last step that was not undone yet.
 *
 * @returns Whether there was one.
 */
export function undoLast(): boolean {
  const step = steps.pop()
  if (step === undefined) return false
  notify()
  step.undo()
  return true
}
