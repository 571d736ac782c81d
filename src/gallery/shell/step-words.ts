import type { StepAction } from '#gallery/api/outbox/outbox-events.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'

export interface Words {
  readonly title: string
  readonly description?: string
}

/** Returns the toast for a change; null for a single star, which is visible on its tile. */
export const wordsOfTaken = (deed: StepAction): Words | null =>
  deed.aspect === 'starred' && deed.count === 1 ? null : wordsOf(deed)

/** Returns the toast for a change that is sent in parts, with its progress. */
export const wordsOfParts = (deed: StepAction, doneCount: number): Words => ({
  title: titleOfParts(deed),
  description: partOf(doneCount, isBoard(deed) ? deed.imageCount : deed.count),
})

function titleOfParts(deed: StepAction): string {
  switch (deed.aspect) {
    case 'starred':
      return deed.wanted ? 'Starring images…' : 'Unstarring images…'
    case 'board':
      return `Moving images to ${nameOr(deed, 'another board')}…`
    case 'trashed':
      return deed.wanted ? 'Moving images to the trash…' : 'Restoring images…'
    default:
      return `Deleting “${nameOr(deed, '')}”…`
  }
}

/** Returns the number of images that already left a board that could not be deleted; undefined if there are none. */
export function wordsOfGoneParts(deed: StepAction, doneCount: number): string | undefined {
  if (doneCount === 0 || !isBoard(deed)) return undefined
  const place = deed.wanted === 'without images' ? 'Assets' : 'the trash'
  return `${partOf(doneCount, deed.imageCount)} are in ${place} already.`
}

/** Returns text such as `5 of 12 images`. Images may have been added or removed since `count` was determined. */
export const partOf = (doneCount: number, count = 0): string =>
  `${formatCount(Math.min(doneCount, count))} of ${countOf(count, 'image')}`

const isBoard = ({ aspect }: StepAction): boolean => aspect.startsWith('board_')

function wordsOf(deed: StepAction): Words {
  const images = countOf(deed.count, 'image')
  switch (deed.aspect) {
    case 'starred':
      return { title: `${deed.wanted ? 'Starred' : 'Unstarred'} ${images}` }
    case 'board':
      return { title: `Moved ${images} to ${nameOr(deed, 'another board')}` }
    case 'trashed':
      return { title: deed.wanted ? `Moved ${images} to the trash` : `Restored ${images}` }
    case 'deleted':
      return { title: `Deleted ${images}` }
    case 'board_name':
      return { title: `Renamed to “${nameOr(deed, '')}”` }
    case 'board_trashed':
    case 'board_deleted':
      return wordsOfBoard(deed)
    case 'trash_emptied':
      return { title: 'Emptied the trash' }
  }
}

/** Returns the title for an undone change. */
export function wordsOfUndone(deed: StepAction): string {
  const { title } = wordsOf(deed)
  return `Undid: ${title.charAt(0).toLowerCase()}${title.slice(1)}`
}

/** Returns the title for a change without effect; null if it needs no toast. */
export function wordsOfNothing(deed: StepAction): string | null {
  if (deed.aspect !== 'board') return null
  const images = deed.count === 1 ? 'This image is' : 'These images are'
  return `${images} already on ${nameOr(deed, 'that board')}`
}

/** Returns the title for a refused change. */
export function wordsOfRefused(deed: StepAction, failedCount: number): string {
  if (deed.aspect === 'trash_emptied') return 'The trash could not be emptied'
  const board = `“${nameOr(deed, 'The board')}”`
  const all = failedCount === deed.count
  const images = all
    ? countOf(deed.count, 'image')
    : `${failedCount} of ${countOf(deed.count, 'image')}`
  return `${isBoard(deed) ? board : images} could not be ${participle(deed)}`
}

function wordsOfBoard(deed: StepAction): Words {
  const { wanted, imageCount = 0 } = deed
  const boardName = nameOr(deed, '')
  if (wanted === false) return { title: `Restored “${boardName}”` }
  const title = `Deleted “${boardName}”`
  if (imageCount === 0) return { title }
  const images = countOf(imageCount, 'image')
  const isKept = wanted === 'without images'
  const verb = imageCount === 1 ? 'is' : 'are'
  return { title, description: isKept ? `${images} ${verb} in Assets now` : `with ${images}` }
}

function participle(deed: StepAction): string {
  const { aspect, wanted } = deed
  switch (aspect) {
    case 'starred':
      return wanted ? 'starred' : 'unstarred'
    case 'board':
      return `moved to ${nameOr(deed, 'the board')}`
    case 'board_name':
      return 'renamed'
    case 'trashed':
    case 'board_trashed':
      return wanted ? 'deleted' : 'restored'
    case 'deleted':
    case 'board_deleted':
      return 'deleted'
    case 'trash_emptied':
      return 'emptied'
  }
}

const nameOr = ({ boardName }: StepAction, words: string): string =>
  boardName === undefined || boardName === null ? words : isolated(boardName)
