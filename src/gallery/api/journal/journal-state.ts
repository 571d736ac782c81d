import type { StepAction } from '#gallery/api/outbox/outbox-events.ts'
import type { WorkAction } from '#gallery/api/process/work-events.ts'

/** The number of actions in the journal. */
export const MAX_ENTRIES = 200

/**
 * The number of image names in the journal. An action with 50,000 images has 2 MB of names, so that many large actions
 * would fill the storage of the browser. The oldest actions are dropped.
 */
const MAX_NAMES = 1_000_000

/** A change of the poster of a video, as the history describes it. */
export interface PosterAction {
  readonly kind: 'poster'
  readonly count: 1
  readonly fileName: string
}

/** A change of a saved search, as the history describes it. */
export interface SearchAction {
  readonly kind: 'search'
  readonly change: 'saved' | 'renamed' | 'changed' | 'moved' | 'deleted'
  readonly count: 1
  readonly name: string
}

/** A change of a tag, as the history describes it. */
export interface TagsAction {
  readonly kind: 'tags'
  readonly change: 'renamed' | 'merged' | 'colored' | 'deleted'
  readonly count: 1
  readonly name: string
  readonly newName?: string
}

/** Resolved or dismissed groups of duplicates, as the history describes them. */
export interface DuplicatesAction {
  readonly kind: 'duplicates'
  readonly change: 'resolved' | 'dismissed'
  /** Images in the trash, or in the dismissed groups. */
  readonly count: number
  readonly groupCount: number
}

/** Kinds of actions that have no images to fetch or to count. */
export const kindsWithoutImages: readonly string[] = ['poster', 'search', 'tags']

/** An action of the user, as the journal lists it. What Undo needs is stored separately, because it can be large. */
export interface JournalEntry {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly at: number
  readonly action:
    | StepAction
    | WorkAction
    | PosterAction
    | SearchAction
    | TagsAction
    | DuplicatesAction
  /** Up to three names of its images. */
  readonly thumbnails: readonly string[]
  /** The number of names that are stored for Undo. */
  readonly nameCount: number
  /** The tab that took the action. Only this tab can undo it while `isPending`. */
  readonly tab: string
  /** `stale`: it cannot be undone, because its images or its board were changed since. */
  readonly state: 'done' | 'undone' | 'stale'
  /** True until the server has confirmed the action, its Undo or its Redo. */
  readonly isPending: boolean
  /** The order of the undone actions. Redo takes the highest one. */
  readonly undoneAt?: number
  /** Why the latest Undo or Redo failed, or how many images it skipped. */
  readonly problem?: string | undefined
}

export type JournalChange =
  | { readonly kind: 'add'; readonly entry: JournalEntry }
  | { readonly kind: 'set'; readonly id: string; readonly patch: Partial<JournalEntry> }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'clear' }

/** The entries of the journal, oldest first. */
export type JournalEntries = readonly JournalEntry[]

/** A new action ends the possibility to redo undone ones. */
export function applyChange(entries: JournalEntries, change: JournalChange): JournalEntries {
  switch (change.kind) {
    case 'add':
      return fitting([...entries.filter(({ state }) => state !== 'undone'), change.entry])
    case 'set':
      return entries.map((entry) =>
        entry.id === change.id ? { ...entry, ...change.patch } : entry,
      )
    case 'remove':
      return entries.filter(({ id }) => id !== change.id)
    case 'clear':
      return []
  }
}

/** Drops the oldest entries that do not fit. The latest one always fits. */
function fitting(entries: JournalEntries): JournalEntries {
  let names = 0
  const last = entries.length - 1
  const first = entries.findLastIndex(({ nameCount }, at) => {
    names += nameCount
    return at < last && (names > MAX_NAMES || last - at >= MAX_ENTRIES)
  })
  return entries.slice(first + 1)
}

/** Returns the action that Undo takes back next. */
export const nextToUndo = (entries: JournalEntries): JournalEntry | undefined =>
  entries.findLast(({ state }) => state === 'done')

/** Returns the undone action that Redo repeats next. */
export const nextToRedo = (entries: JournalEntries): JournalEntry | undefined =>
  inRedoOrder(entries)[0]

const inRedoOrder = (entries: JournalEntries): JournalEntry[] =>
  entries
    .filter(({ state }) => state === 'undone')
    .toSorted((one, other) => (other.undoneAt ?? 0) - (one.undoneAt ?? 0))

/** The steps to a point of the journal. */
export interface Route {
  readonly verb: 'undo' | 'redo'
  readonly ids: readonly string[]
}

/** Returns the steps to the point after an action; `null` for the point before all actions. */
export function routeTo(entries: JournalEntries, id: string | null): Route {
  const at = entries.findIndex((entry) => entry.id === id)
  const target = entries[at]
  if (target?.state === 'undone') {
    const undone = inRedoOrder(entries).map((entry) => entry.id)
    return { verb: 'redo', ids: undone.slice(0, undone.indexOf(target.id) + 1) }
  }
  const later = entries.slice(at + 1).filter(({ state }) => state === 'done')
  return { verb: 'undo', ids: later.map((entry) => entry.id).toReversed() }
}
