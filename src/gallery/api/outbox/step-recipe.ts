import type { QueryClient } from '@tanstack/react-query'
import type { Board } from '#client/index.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { currentBoards, currentRatings } from '#gallery/api/images/known-images.ts'
import type { StepRecipe, TargetsByBefore } from '#gallery/api/journal/recipe.ts'
import { fieldOf } from './board-requests.ts'
import {
  type Aspect,
  BOARD_ASPECTS,
  type BoardImages,
  type UndoDetails,
  type Value,
} from './outbox-state.ts'
import type { ImagesByBoard, MovedWithBoard } from './outbox-work.ts'
import type { StepOptions } from './step-options.ts'

/** Returns what a later page needs to undo or repeat the step. */
export function recipeOf(
  options: StepOptions,
  had: TargetsByBefore,
  { moved, restoredTo }: { moved: MovedWithBoard; restoredTo: ImagesByBoard | undefined },
): StepRecipe {
  const { aspect, wanted, boardName, description, board } = options
  const isRestored = aspect === 'board_trashed' && wanted === false
  const { trashed, kept } = moved
  return {
    kind: 'step',
    options: {
      aspect,
      wanted,
      boardName,
      description,
      board,
      boardImages: isRestored ? options.boardImages : boardImagesOf(options, moved),
      ...(restoredTo && { restoredTo }),
      // Undo of a restored board must not delete images that were added to it.
      maxImages: isRestored
        ? Math.max(trashed.length + kept.length, options.maxImages ?? 0)
        : undefined,
    },
    had: new Map(had),
  }
}

function boardImagesOf(
  { wanted, boardImages }: StepOptions,
  { trashed, kept }: MovedWithBoard,
): BoardImages | undefined {
  const names = [...trashed, ...kept]
  if (names.length === 0) return boardImages
  return { names, areTrashed: wanted === 'with images' }
}

/** Returns the details of a step that its request needs. */
export const detailsOf = (options: StepOptions): UndoDetails => {
  const { onlyIf, maxImages, boardName, description, boardImages, aspect, wanted } = options
  const isChecked = hasCheckedValue(aspect) || isRestoredTo(aspect, onlyIf)
  return {
    ...(isChecked && onlyIf !== undefined && { onlyIf }),
    ...(wanted !== false && maxImages !== undefined && { maxImages, boardName, description }),
    ...(wanted === false && boardImages !== undefined && { boardImages }),
  }
}

/** True for images that were restored to a board. Their Undo returns them to the board that they had in the trash. */
export const isRestoredTo = (aspect: Aspect, value: Value | undefined): boolean =>
  aspect === 'trashed' && typeof value === 'string'

/**
 * True if Undo must compare the value. A boolean needs no comparison: if it is not as the action left it, it is as Undo
 * wants it.
 */
export const hasCheckedValue = (aspect: Aspect): boolean =>
  aspect === 'board' ||
  aspect === 'rating' ||
  aspect === 'board_name' ||
  aspect === 'board_visibility' ||
  aspect === 'board_cover' ||
  aspect === 'board_description' ||
  aspect === 'board_position'

/**
 * Leaves out the targets of an Undo or Redo that the page knows to be different than the action left them. Their values
 * stay in view while the server is asked.
 */
export function withoutKnownChanges(
  { queryClient }: { readonly queryClient: QueryClient },
  { aspect, isRedo, before, onlyIf }: StepOptions,
  targets: readonly string[],
): readonly string[] {
  if (!hasCheckedValue(aspect) || (onlyIf === undefined && !isRedo)) return targets
  // The page knows far fewer values than an action can have targets.
  const changed = new Set<string>()
  for (const [target, value] of knownValues(queryClient, aspect)) {
    const expected = isRedo ? before(target) : onlyIf
    if (expected !== undefined && value !== expected) changed.add(target)
  }
  return changed.size === 0 ? targets : targets.filter((target) => !changed.has(target))
}

function knownValues(queryClient: QueryClient, aspect: Aspect): ReadonlyMap<string, Value> {
  if (aspect === 'rating') return currentRatings(queryClient)
  const ofBoard = BOARD_ASPECTS.find((one) => one === aspect)
  if (ofBoard === undefined) return currentBoards(queryClient)
  const boards = queryClient.getQueryData<readonly Board[]>(boardKeys.list()) ?? []
  return new Map(boards.map((board) => [board.board_id, fieldOf(board, ofBoard)]))
}

export function targetsByBefore(options: StepOptions): TargetsByBefore {
  const { targets, before, wanted, undone } = options
  // Those of an Undo have no duplicates.
  const had: TargetsByBefore = Map.groupBy(
    undone === undefined ? new Set(targets) : targets,
    before,
  )
  had.delete(wanted)
  return had
}

/**
 * Sets the previous value of targets for which it is unknown. A known value stays: after a lost answer, the server may
 * return the value that the change itself set.
 */
export function learnBefore(had: TargetsByBefore, learned: readonly string[], value: Value): void {
  const isLearned = new Set(learned)
  const unknown = had.get(undefined) ?? []
  const fresh = unknown.filter((target) => isLearned.has(target))
  if (fresh.length > 0) setBefore(had, fresh, value)
}

/** Sets the previous value of targets, also if another one is known. */
export function setBefore(had: TargetsByBefore, targets: readonly string[], value: Value): void {
  removeTargets(had, targets)
  had.set(value, [...(had.get(value) ?? []), ...targets])
}

/** Removes refused targets, which Undo need not revert. */
export function removeTargets(had: TargetsByBefore, refused: readonly string[]): void {
  if (refused.length === 0) return
  const isRefused = new Set(refused)
  for (const [before, targets] of had) {
    had.set(
      before,
      targets.filter((target) => !isRefused.has(target)),
    )
  }
}
