import { MAX_RATING } from '#contract/limits.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import type { StepAction } from '#gallery/api/outbox/outbox-events.ts'
import {
  isOfDuplicates,
  isTagAspect,
  type TagAspect,
  tagOfAspect,
} from '#gallery/api/outbox/outbox-state.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'

export interface Words {
  readonly title: string
  readonly description?: string
}

/**
 * Returns the toast for a change; null for one star, rating or tag, which is visible where it was chosen.
 *
 * @param isStarredView - Only starred images are shown, so an unstarred image disappears.
 */
export function wordsOfTaken(action: StepAction, isStarredView = false): Words | null {
  const { aspect, count, wanted, leftOutCount } = action
  const isMark = aspect === 'rating' || isTagAspect(aspect)
  const isStar = aspect === 'starred' && (wanted === true || !isStarredView)
  const isVisible = count === 1 && !leftOutCount && (isMark || isStar)
  return isVisible ? null : wordsOf(action)
}

/** Returns the toast for a change that is sent in parts, with its progress. */
export const wordsOfParts = (action: StepAction, doneCount: number): Words => ({
  title: `${wordsOfRunning(action)}…`,
  description: partOf(
    doneCount,
    isOfBoard(action) ? action.imageCount : action.count,
    nounOf(action),
  ),
})

/** Returns what a running change does: `Moving 5,000 images to Portraits`. */
export function wordsOfRunning(action: StepAction): string {
  const images = countOf(action.count, nounOf(action))
  if (isTagAspect(action.aspect)) {
    const tag = nameOfTag(action.aspect)
    return action.wanted ? `Tagging ${images} with ${tag}` : `Removing ${tag} from ${images}`
  }
  switch (action.aspect) {
    case 'starred':
      return `${action.wanted ? 'Starring' : 'Unstarring'} ${images}`
    case 'rating':
      return `Rating ${images}`
    case 'board':
      return `Moving ${images} to ${nameOr(action, 'another board')}`
    case 'trashed':
      return action.wanted === true ? `Moving ${images} to the trash` : `Restoring ${images}`
    case 'deleted':
      return `Deleting ${images}`
    default:
      return `Deleting “${nameOr(action, '')}”`
  }
}

/** Returns the number of images that already left a board that could not be deleted; undefined if there are none. */
export function wordsOfGoneParts(action: StepAction, doneCount: number): string | undefined {
  if (doneCount === 0 || !isOfBoard(action)) return undefined
  const place = action.wanted === 'without images' ? 'Assets' : 'the trash'
  return `${partOf(doneCount, action.imageCount, nounOf(action))} are in ${place} already.`
}

/** Returns text such as `5 of 12 images`. Images may have been added or removed since `count` was determined. */
export const partOf = (doneCount: number, count = 0, noun: string = 'image'): string =>
  `${formatCount(Math.min(doneCount, count))} of ${countOf(count, noun)}`

/** True for a change of a board, not of images. */
export const isOfBoard = ({ aspect }: StepAction): boolean => aspect.startsWith('board_')

/** Returns the title of a change, in the past tense. */
export function wordsOf(action: StepAction): Words {
  if (action.group !== undefined) return wordsOfGroup(action, isolated(action.group))
  const images = countOf(action.count, nounOf(action))
  if (isTagAspect(action.aspect)) {
    const tag = nameOfTag(action.aspect)
    return {
      title: action.wanted ? `Tagged ${images} with ${tag}` : `Removed ${tag} from ${images}`,
    }
  }
  switch (action.aspect) {
    case 'starred':
      return { title: `${action.wanted ? 'Starred' : 'Unstarred'} ${images}` }
    case 'rating':
      return wordsOfRated(action, images)
    case 'board':
      return { title: `Moved ${images} to ${nameOr(action, 'another board')}` }
    case 'trashed':
      return { title: titleOfTrashed(action, images) }
    case 'deleted':
      return { title: `Deleted ${images}` }
    case 'board_name':
      return { title: `Renamed to “${nameOr(action, '')}”` }
    case 'board_archived':
      return { title: `${action.wanted ? 'Archived' : 'Unarchived'} “${nameOr(action, '')}”` }
    case 'board_visibility':
      return { title: `Changed who can see “${nameOr(action, '')}”` }
    case 'board_cover':
      return { title: `Changed the cover of “${nameOr(action, '')}”` }
    case 'board_pinned':
      return { title: `${action.wanted ? 'Pinned' : 'Unpinned'} “${nameOr(action, '')}”` }
    case 'board_description':
      return { title: `Changed the description of “${nameOr(action, '')}”` }
    case 'board_position':
      return { title: `Moved “${nameOr(action, '')}” in the list` }
    case 'board_created':
      return { title: `Created “${nameOr(action, '')}”` }
    case 'board_trashed':
    case 'board_deleted':
      return wordsOfBoard(action)
    case 'duplicates_resolved':
      return {
        title: `${action.wanted ? 'Deleted' : 'Restored'} the duplicates of ${groupsOf(action)}`,
      }
    case 'duplicates_dismissed':
      return {
        title: `Marked ${groupsOf(action)} as ${action.wanted ? 'not duplicates' : 'duplicates'}`,
      }
    case 'trash_emptied':
      return { title: 'Emptied the trash' }
    case 'trash_restored':
      return { title: titleOfRestored(action) }
  }
}

const groupsOf = ({ count }: StepAction): string => countOf(count, 'group')

function wordsOfRated(action: StepAction, images: string): Words {
  const { leftOutCount = 0 } = action
  const title = titleOfRated(action, images)
  return leftOutCount === 0 ? { title } : { title, description: ratedAlready(action, leftOutCount) }
}

/** Returns text such as `3 images already have at least 4 stars`. */
function ratedAlready(action: StepAction, count: number): string {
  const images = `${countOf(count, nounOf(action))} already ${count === 1 ? 'has' : 'have'}`
  const stars = countOf(Number(action.wanted), 'star')
  return `${images} ${action.wanted === MAX_RATING ? '' : 'at least '}${stars}`
}

const titleOfRated = ({ wanted }: StepAction, images: string): string =>
  wanted === 0
    ? `Removed the rating of ${images}`
    : `Rated ${images} with ${countOf(Number(wanted), 'star')}`

const nameOfTag = (aspect: TagAspect): string => `“${isolated(tagOfAspect(aspect))}”`

function titleOfRestored(action: StepAction): string {
  const { count, boardCount = 0 } = action
  const images = count > 0 ? countOf(count, nounOf(action)) : ''
  const boards = boardCount > 0 ? countOf(boardCount, 'board') : ''
  return `Restored ${[images, boards].filter(Boolean).join(' and ')}`
}

function titleOfTrashed(action: StepAction, images: string): string {
  if (action.wanted === true) return `Moved ${images} to the trash`
  if (action.wanted === false) return `Restored ${images}`
  return `Restored ${images} to ${nameOr(action, 'another board')}`
}

/** Returns the title of a change of all boards of a group. */
function wordsOfGroup(action: StepAction, group: string): Words {
  const { aspect, wanted, count, imageCount = 0, noun } = action
  if (aspect === 'board_name') {
    return { title: `Renamed the group “${group}” to “${nameOr(action, '')}”` }
  }
  if (aspect === 'board_archived') {
    const verb = wanted ? 'Archived' : 'Unarchived'
    return { title: `${verb} ${countOf(count, 'board')} of “${group}”` }
  }
  const title = `Deleted the group “${group}” with ${countOf(count, 'board')}`
  if (imageCount === 0) return { title }
  return { title, description: fateOf(imageCount, noun, wanted === 'without images') }
}

export function wordsOfUndone(action: StepAction): string {
  return `Undid: ${uncapitalized(wordsOf(action).title)}`
}

export const uncapitalized = (title: string): string =>
  `${title.charAt(0).toLowerCase()}${title.slice(1)}`

/** Returns the title for a change without effect; null if it needs no toast. */
export function wordsOfNothing(action: StepAction): string | null {
  if (action.leftOutCount) return ratedAlready(action, action.leftOutCount)
  if (action.aspect !== 'board') return null
  const noun = nounOf(action)
  const images = action.count === 1 ? `This ${noun} is` : `These ${noun}s are`
  return `${images} already on ${nameOr(action, 'that board')}`
}

export function wordsOfRefused(action: StepAction, failedCount: number): string {
  if (action.aspect === 'trash_emptied') return 'The trash could not be emptied'
  if (action.group !== undefined) {
    return `${partOf(failedCount, action.count, 'board')} could not be ${participle(action)}`
  }
  if (isOfDuplicates(action.aspect)) {
    const groups =
      failedCount === action.count ? groupsOf(action) : partOf(failedCount, action.count, 'group')
    const subject = action.aspect === 'duplicates_resolved' ? `The duplicates of ${groups}` : groups
    return `${subject} could not be ${participle(action)}`
  }
  const board = `“${nameOr(action, 'The board')}”`
  const all = failedCount === action.count
  const images = all
    ? countOf(action.count, nounOf(action))
    : `${failedCount} of ${countOf(action.count, nounOf(action))}`
  return `${isOfBoard(action) ? board : images} could not be ${participle(action)}`
}

function wordsOfBoard(action: StepAction): Words {
  const { wanted, imageCount = 0, noun } = action
  const boardName = nameOr(action, '')
  if (wanted === false) return { title: `Restored “${boardName}”` }
  const title = `Deleted “${boardName}”`
  if (imageCount === 0) return { title }
  return { title, description: fateOf(imageCount, noun, wanted === 'without images') }
}

function fateOf(imageCount: number, noun: Noun | undefined, areInAssets: boolean): string {
  const images = countOf(imageCount, noun ?? 'image')
  return areInAssets
    ? `${images} ${imageCount === 1 ? 'is' : 'are'} in Assets now`
    : `with ${images}`
}

function participle(action: StepAction): string {
  const { aspect, wanted } = action
  if (isTagAspect(aspect)) return wanted ? 'tagged' : 'untagged'
  switch (aspect) {
    case 'starred':
      return wanted ? 'starred' : 'unstarred'
    case 'rating':
      return 'rated'
    case 'board':
      return `moved to ${nameOr(action, 'the board')}`
    case 'board_name':
      return 'renamed'
    case 'board_archived':
      return wanted ? 'archived' : 'unarchived'
    case 'board_visibility':
    case 'board_cover':
    case 'board_description':
      return 'changed'
    case 'board_position':
      return 'moved'
    case 'board_pinned':
      return wanted ? 'pinned' : 'unpinned'
    case 'board_created':
      return 'created'
    case 'trashed':
      return wanted === true ? 'deleted' : 'restored'
    case 'board_trashed':
      return wanted ? 'deleted' : 'restored'
    case 'deleted':
    case 'board_deleted':
      return 'deleted'
    case 'duplicates_resolved':
      return wanted ? 'deleted' : 'restored'
    case 'duplicates_dismissed':
      return `marked as ${wanted ? 'not duplicates' : 'duplicates'}`
    case 'trash_emptied':
      return 'emptied'
    case 'trash_restored':
      return 'restored'
  }
}

const nounOf = ({ noun = 'image' }: StepAction): Noun => noun

const nameOr = ({ boardName }: StepAction, words: string): string =>
  boardName === undefined || boardName === null ? words : isolated(boardName)
