import type {
  DuplicatesAction,
  JournalEntry,
  SearchAction,
  TagsAction,
} from '#gallery/api/journal/journal-state.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { wordsOf } from './step-words.ts'

/** Returns a sentence about an action: `Moved 300 images from Clients to Archive`. */
export function sentenceOf({ action }: Pick<JournalEntry, 'action'>): string {
  if ('kind' in action) {
    if (action.kind === 'poster') return `Changed the thumbnail of “${isolated(action.fileName)}”`
    if (action.kind === 'search') return wordsOfSearch(action)
    if (action.kind === 'tags') return wordsOfTags(action)
    if (action.kind === 'duplicates') return wordsOfDuplicates(action)
    const images = countOf(action.count, action.noun ?? 'image')
    const board = isolated(action.boardName)
    if (action.kind === 'import') return `Imported ${images}`
    if (action.kind === 'upload') return `Uploaded ${images} to ${board}`
    return action.kind === 'copy'
      ? `Copied ${images} to ${board}`
      : `Processed ${images}, results on ${board}`
  }
  const { aspect, count, fromName, boardName, noun } = action
  if (fromName !== undefined && aspect === 'board' && boardName !== undefined) {
    return `Moved ${countOf(count, noun ?? 'image')} from ${isolated(fromName)} to ${isolated(boardName)}`
  }
  if (fromName !== undefined && aspect === 'board_name' && boardName !== undefined) {
    return `Renamed “${isolated(fromName)}” to “${isolated(boardName)}”`
  }
  const { title, description } = wordsOf(action)
  return description === undefined ? title : `${title}, ${description}`
}

function wordsOfDuplicates({ change, count, groupCount }: DuplicatesAction): string {
  const groups = countOf(groupCount, 'group')
  return change === 'resolved'
    ? `Deleted ${countOf(count, 'duplicate')} of ${groups}`
    : `Marked ${countOf(count, 'image')} as not duplicates`
}

function wordsOfSearch({ change, name }: SearchAction): string {
  const search = `the saved search “${isolated(name)}”`
  switch (change) {
    case 'saved':
      return `Saved the search “${isolated(name)}”`
    case 'renamed':
      return `Renamed ${search}`
    case 'changed':
      return `Changed ${search}`
    case 'moved':
      return `Moved ${search} in the list`
    case 'deleted':
      return `Deleted ${search}`
  }
}

/** Returns what was done to a tag: `Renamed the tag “people” to “persons”`. */
function wordsOfTags({ change, name, newName = '' }: TagsAction): string {
  const tag = `the tag “${isolated(name)}”`
  switch (change) {
    case 'renamed':
      return `Renamed ${tag} to “${isolated(newName)}”`
    case 'merged':
      return `Merged ${tag} with “${isolated(newName)}”`
    case 'colored':
      return `Changed the color of ${tag}`
    case 'deleted':
      return `Deleted ${tag}`
  }
}

/** Returns the state of an action that is not simply done; undefined for the others. */
export function stateWordsOf({ state, isPending, problem }: JournalEntry): string | undefined {
  if (state === 'stale') return `Cannot be undone any more. ${problem ?? ''}`.trim()
  if (problem !== undefined) {
    return state === 'undone' ? `Undone in part. ${problem}` : `Couldn’t undo. ${problem}`
  }
  if (isPending) return state === 'undone' ? 'Undone, waiting' : 'Waiting'
  return state === 'undone' ? 'Undone' : undefined
}

/** Returns text such as `Undo 3 actions`. */
export const labelOfRoute = (verb: 'undo' | 'redo', count: number): string =>
  `${verb === 'undo' ? 'Undo' : 'Redo'} ${countOf(count, 'action')}`
