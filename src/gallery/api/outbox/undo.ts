import { useGallery } from '#gallery/api/gallery-context.tsx'
import { Listeners, useSource } from '#gallery/api/listeners.ts'

const MAX_STEPS = 50

/** The latest steps that can be undone. */
export class UndoStack {
  readonly #steps: (() => void)[] = []
  readonly #changes = new Listeners()
  readonly subscribe = this.#changes.add

  /** Returns true if {@link undoLast} has something to undo. */
  readonly getState = (): boolean => this.#steps.length > 0

  /** Adds the undo of a step. Returns a function that removes it. */
  push(undo: () => void): () => void {
    this.#steps.push(undo)
    if (this.#steps.length > MAX_STEPS) this.#steps.shift()
    this.#changes.emit()
    return () => {
      const index = this.#steps.indexOf(undo)
      if (index < 0) return
      this.#steps.splice(index, 1)
      this.#changes.emit()
    }
  }

  /** Undoes the latest step. Returns false if there is nothing to undo. */
  undoLast(): boolean {
    const undo = this.#steps.pop()
    if (undo === undefined) return false
    this.#changes.emit()
    undo()
    return true
  }
}

/** True if there is something to undo. Re-renders when that changes. */
export const useCanUndo = (): boolean => useSource(useGallery().undo)
