import type { TesseraClient } from '#client/index.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import type { Clock } from '#gallery/api/clock.ts'
import type { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import type { ImageCache } from '#gallery/api/images/image-cache.ts'
import { itemCountOf, nounOfBoard, nounOfNames } from '#gallery/api/images/noun.ts'
import type { Shown, ShownChange, ShownData } from '#gallery/api/images/show-change.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { RunOptions } from '#gallery/api/journal/journal-types.ts'
import type { StepRecipe, TargetsByBefore } from '#gallery/api/journal/recipe.ts'
import type { Refresh } from '#gallery/api/refresh.ts'
import type { OutboxClient } from './board-requests.ts'
import type { BulkChanges, BulkRun } from './bulk-changes.ts'
import type { ContestedImages } from './contested-images.ts'
import type { OutboxEvent, StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import type { Aspect, UndoDetails, Value } from './outbox-state.ts'
import { IMAGES_PER_PART } from './outbox-work.ts'
import type { OutboxWorker } from './outbox-worker.ts'

/** A user action. The page shows it optimistically, and reports it with Undo and its refusals as outbox events. */
export interface Step {
  /** Resolves when the server has answered. Never rejects. */
  readonly outcome: Promise<Outcome>
  /** Reverts the step, whether it has been sent or not. Later calls have no effect. */
  undo(): void
}

export interface StepOptions
  extends ShownChange,
    UndoDetails,
    Pick<StepRecipe['options'], 'restoredTo'> {
  readonly before: (target: string) => Value | undefined
  /** The number of images that the action leaves as they are. */
  readonly leftOutCount?: number
  readonly heldMs?: number
  /** False if the step cannot be undone, for example because it is an Undo. */
  readonly hasUndo?: boolean
  /** True for a Redo, which changes only targets that still have their previous value. */
  readonly isRedo?: boolean
  /** True for one of several steps of an action, which are reported and undone together. */
  readonly isMember?: boolean
  /** Called after each part except the last, with the number of its images. */
  readonly onPart?: ((imageCount: number) => void) | undefined
  /** The optimistic update, if the page already shows the change. */
  readonly shown?: Shown | undefined
  /** The step that this one continues. It is already reported and in the journal. */
  readonly continues?:
    | {
        readonly action: StepAction
        readonly undo: () => void
        readonly entry: string
        readonly bulk: BulkRun | undefined
      }
    | undefined
  /** The listed change whose refused images this step changes again. */
  readonly retries?: BulkRun | undefined
  /** The undone action of the journal that this step repeats. */
  readonly repeats?:
    | { readonly id: string; readonly action: StepAction; readonly isQuiet: boolean }
    | undefined
}

/** The parts of the data layer that the outbox needs. */
export interface OutboxApi extends ShownData {
  readonly client: OutboxClient & Pick<TesseraClient, 'pacer'>
  readonly unloadClient: OutboxClient
  readonly clock: Clock
  readonly capabilities: Pick<ServerCapabilities, 'has' | 'areKnown'>
  readonly imageCache: ShownData['imageCache'] & Pick<ImageCache, 'recordsAt'>
  readonly contested: Pick<ContestedImages, 'begin'>
  readonly refresh: Pick<Refresh, 'after'>
  readonly journal: Pick<
    Journal,
    'add' | 'attach' | 'confirm' | 'describe' | 'forget' | 'save' | 'undo'
  >
}

/** The parts of the outbox that its steps need. */
export interface StepsApi extends OutboxApi {
  readonly worker: OutboxWorker
  readonly bulk: BulkChanges
  readonly emit: (event: OutboxEvent) => void
}

export interface TakenStep extends Step {
  /** The number of images or boards that need an answer of the server. */
  readonly left: number
  /** Reverts the step as a member of an action. */
  readonly revert: (options: RunOptions) => Promise<Outcome>
  /** Returns what Undo and Redo need. It changes when the server answers. */
  readonly recipe: () => StepRecipe
}

/** True for a change that is sent in several requests. The page shows its progress. */
export function isInParts({ aspect, wanted, count, imageCount = 0 }: StepAction): boolean {
  // A final change is announced while it is held back, not while it is sent.
  if (isFinal(aspect)) return false
  if (aspect === 'board_trashed') return wanted !== false && imageCount > IMAGES_PER_PART
  return !isAlone(aspect) && count > IMAGES_PER_PART
}

/** Describes an action. `rule` counts the targets of a rule, which are not all loaded. */
export function actionOf(
  { queryClient }: StepsApi,
  options: StepOptions,
  had: TargetsByBefore,
  rule?: Pick<StepAction, 'count' | 'noun'>,
): StepAction {
  const { aspect, wanted, boardName, board, targets } = options
  const [before, ...others] = had.keys()
  const isFromOne = before !== undefined && others.length === 0
  const fromName = isFromOne && aspect === 'board' && boardNameOf(queryClient, String(before))
  const oldName = isFromOne && aspect === 'board_name' && String(before)
  return {
    aspect,
    wanted,
    count: [...had.values()].reduce((sum, { length }) => sum + length, 0),
    boardName,
    imageCount: board && itemCountOf(board),
    noun: isAlone(aspect) ? board && nounOfBoard(board) : nounOfNames(targets),
    ...(options.leftOutCount && { leftOutCount: options.leftOutCount }),
    ...rule,
    ...((fromName || oldName) && { fromName: fromName || oldName || undefined }),
  }
}

/** True if each target needs a separate request. */
export const isAlone = (aspect: StepAction['aspect'] | Aspect): boolean =>
  aspect.startsWith('board_') || aspect === 'trash_emptied'

/** True if the change cannot be undone after it was sent. Such changes are delayed for Undo. */
export const isFinal = (aspect: StepAction['aspect']): boolean =>
  aspect === 'deleted' || aspect === 'board_deleted'
