import { useSyncExternalStore } from 'react'

/** A step that can be undone. */
export interface Undoable {
  undo: () => void
}

/** The maximum length of the undo stack. */
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

/** Pushes a step onto the undo stack. Returns a function that removes it. */
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
 * Undoes the latest step of the undo stack.
 *
 * @returns True if there was one.
 */
export function undoLast(): boolean {
  const step = steps.pop()
  if (step === undefined) return false
  notify()
  step.undo()
  return true
}
