import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import type { JournalChange, JournalEntry, Route } from './journal-state.ts'
import type { Recipe } from './recipe.ts'

export type Verb = Route['verb']

export interface RunOptions {
  /** True for one of several steps, which are reported together. */
  readonly isQuiet: boolean
}

/** The Undo and Redo of an action. */
export type Runner = Readonly<Record<Verb, (options: RunOptions) => Promise<Outcome>>>

/** Returns the Undo and Redo of an action of an earlier page or another tab. */
export type Revive = (entry: JournalEntry, recipe: Recipe) => Runner | null

/** The Undo of an action of this page. It is faster than its recipe, because it knows what the page showed before. */
export type LiveUndo = Runner['undo']

/** The Undo or Redo of an action failed, or skipped images that were changed since. */
export interface JournalEvent {
  readonly kind: 'refused' | 'skipped' | 'several'
  readonly verb: Verb
  readonly entry: JournalEntry
  readonly failed: Outcome['failed']
  /** The number of steps, for `several`. */
  readonly count: number
  readonly retry?: () => void
}

export type JournalMessage =
  | { readonly kind: 'change'; readonly change: JournalChange }
  /** Asks the tab that has not sent an action yet to undo it. */
  | { readonly kind: 'undo'; readonly id: string }

export type NewEntry = Pick<JournalEntry, 'action' | 'thumbnails'> & {
  /** True for an action that can be undone only in this tab, and only until it is sent. */
  readonly isLocal?: boolean
  /** The data for Undo and Redo. Absent if it is not known yet. */
  readonly recipe?: Recipe
}
