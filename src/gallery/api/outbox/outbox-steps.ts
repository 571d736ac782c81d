import { notifyManager } from '@tanstack/react-query'
import { knownImages } from '#gallery/api/images/known-images.ts'
import { withMoreItems } from '#gallery/api/images/noun.ts'
import { type Shown, showChange } from '#gallery/api/images/show-change.ts'
import type { TargetsByBefore } from '#gallery/api/journal/recipe.ts'
import { type BulkRun, isBulk } from './bulk-changes.ts'
import type { StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import type { Value } from './outbox-state.ts'
import type { ImagesByBoard, MovedWithBoard } from './outbox-work.ts'
import { RestoreProgress } from './restore-progress.ts'
import { GONE, UNKNOWN } from './skip-reasons.ts'
import {
  actionOf,
  isAlone,
  isFinal,
  isInParts,
  type StepOptions,
  type StepsApi,
  type TakenStep,
} from './step-options.ts'
import {
  detailsOf,
  hasCheckedValue,
  learnBefore,
  recipeOf,
  removeTargets,
  setBefore,
  targetsByBefore,
  withoutKnownChanges,
} from './step-recipe.ts'

/** The delay before a change is sent, in milliseconds. Changes within this time share a request. */
const GATHER_MS = 120

/** The maximum number of thumbnails of an action in the history. */
const THUMBNAILS = 3

export function takeStep(api: StepsApi, options: StepOptions): TakenStep {
  const { aspect, wanted, heldMs = GATHER_MS, continues, repeats } = options
  const isMember = options.isMember ?? false
  const hasUndo = !isMember && (options.hasUndo ?? true)
  const isNew = continues === undefined && repeats === undefined && hasUndo
  const isReported = continues === undefined && hasUndo && repeats?.isQuiet !== true
  const had = targetsByBefore(options)
  const targets = [...had.values()].flat()
  const action = continues?.action ?? repeats?.action ?? actionOf(api, options, had)
  if (targets.length === 0) {
    if (continues && isInParts(action)) api.emit({ kind: 'taken', ...continues })
    else if (hasUndo && !repeats) {
      api.emit({ kind: 'nothing', action: { ...action, count: options.targets.length } })
    }
    if (continues) api.journal.forget(continues.entry)
    continues?.bulk?.discard()
    const outcome = Promise.resolve({ done: [...options.targets], failed: [] })
    return {
      outcome,
      undo: () => {},
      left: 0,
      revert: () => outcome,
      recipe: () => recipeOf(options, had, { moved: NONE_MOVED, restoredTo: undefined }),
    }
  }

  const shown =
    options.shown ??
    showChange(api, { ...options, targets: withoutKnownChanges(api, options, targets) })
  const endContest = api.contested.begin(targets)
  const details = detailsOf(options)
  const changes = [...had].map(([before, targets]) => ({
    ...details,
    ...(options.isRedo && hasCheckedValue(aspect) && { onlyIf: before }),
    aspect,
    targets,
    wanted,
    before,
  }))
  let moved = NONE_MOVED
  let restoredTo: ImagesByBoard | undefined
  const recipe = () => recipeOf(options, had, { moved, restoredTo })
  let doneCount = 0
  let isTaken = false
  let isUndone = false
  const reportParts = (isOver = false) => {
    if (isUndone || !(isReported || continues)) return
    if (!isInParts(action) && !(isOver && bulk?.isListed)) return
    const step = { action, undo: continues?.undo ?? undo }
    const isListed = bulk !== undefined
    api.emit(
      isOver ? { kind: 'taken', ...step } : { kind: 'in parts', doneCount, isListed, ...step },
    )
  }
  const isNewBulk = isNew && !options.retries && !isAlone(aspect) && isBulk(action)
  const bulk =
    options.retries ??
    continues?.bulk ??
    (isNewBulk ? beginBulk(api, { action, heldMs, targets, undo: () => undo() }) : undefined)
  const { step, outcome, left } = api.worker.take(changes, {
    heldUntil: api.clock.now() + heldMs,
    onLearned: (learned, value) => learnBefore(had, learned, value),
    onPart: (imageCount) => {
      // Targets that need no request settle while `worker.take` runs.
      if (!isTaken) return
      doneCount += imageCount
      bulk?.partDone(imageCount)
      reportParts()
      options.onPart?.(imageCount)
    },
    onBoardImages: ({ trashed, kept }) => {
      moved = { trashed: [...moved.trashed, ...trashed], kept: [...moved.kept, ...kept] }
    },
    onRestored: (boards) => {
      restoredTo = [...(restoredTo ?? []), ...boards]
    },
  })
  isTaken = true
  bulk?.attach(step, (names) => takeAgain(names))

  let isAnswered = false
  const revert = async ({ isQuiet }: { isQuiet: boolean }): Promise<Outcome> => {
    if (isFinal(aspect) && api.worker.withdraw({ aspect, targets }).length === 0) {
      return { done: [], failed: targets.map((name) => ({ name, reason: GONE })) }
    }
    isUndone = true
    bulk?.discard()
    shown()
    const progress = new RestoreProgress(api, action, isQuiet)
    let reverted = Promise.resolve<Outcome>({ done: targets, failed: [] })
    const isComing = notifyManager.batch(() => {
      const asLeft = withoutKnownChanges(
        api,
        { ...options, onlyIf: wanted, isRedo: false },
        targets,
      )
      const restored = isAnswered && asLeft.length === targets.length ? shown.restore() : null
      if (isFinal(aspect)) return false
      const undone = {
        ...options,
        ...recipe().options,
        shown: isAnswered ? undefined : NOTHING_SHOWN,
      }
      reverted = undoStep(api, undone, had, progress)
      void reverted.then(() => restored?.())
      return isAnswered && restored === null && (aspect === 'board' || aspect === 'trashed')
    })
    if (!progress.report() && !isQuiet) api.emit({ kind: 'undone', action, isComing })
    return reverted
  }
  const entry = continues?.entry ?? repeats?.id ?? (isNew ? addToJournal() : null)
  if (entry !== null && !isNew) api.journal.attach(entry, revert)
  const saveRecipe = () => {
    if (entry !== null) api.journal.save(entry, recipe())
  }
  if (!isNew) saveRecipe()
  const undo = () => void (entry !== null && api.journal.undo(entry))
  const forgetUndo = () => void (entry !== null && api.journal.forget(entry))

  function addToJournal(): string {
    const cover = options.board?.cover_image_name ?? options.board?.cover_video_name
    const names = isAlone(aspect) ? (cover ? [cover] : []) : targets.slice(0, THUMBNAILS)
    const isLocal = isFinal(aspect)
    return api.journal.add({ action, thumbnails: names, isLocal, recipe: recipe() }, revert)
  }

  void outcome.then(({ done, failed }) => {
    isAnswered = true
    if (isFinal(aspect) && !isUndone) {
      forgetUndo()
      if (!isMember) api.emit({ kind: 'final', action })
    }
    if (done.length === 0) shown()
    else shown.settle()
    const { boards, board } = options
    const isRefused = failed.length > 0
    api.refresh.after({
      aspect,
      wanted,
      isUnsure: endContest() || isRefused,
      targets: done,
      ...(boards && { boards }),
      board,
    })
    if (wanted === false && moved.trashed.length > 0) setBefore(had, targets, 'with images')
    // A board that is refused halfway has lost images, which Undo restores.
    if (doneCount === 0 || !isAlone(aspect))
      removeTargets(
        had,
        failed.map(({ name }) => name),
      )
    // The server had the wanted value already.
    had.delete(wanted)
    const isUnchanged = !isRefused && [...had.values()].every(({ length }) => length === 0)
    if (entry !== null && isUnchanged) api.journal.forget(entry)
    else if (entry !== null) {
      if (isRefused && done.length > 0 && !isAlone(aspect) && !repeats) describeDone(entry, done)
      else saveRecipe()
      if (!repeats) api.journal.confirm(entry)
    }
    bulk?.end(step, { done, failed })
    if (!isRefused) {
      reportParts(true)
      return
    }
    // The journal reports a refused Undo or Redo.
    if (options.undone !== undefined || repeats || isMember) return
    if (done.length === 0 && doneCount === 0) forgetUndo()
    const retry = () => {
      // Undo of the new step also restores the images that have left the board.
      if (board && doneCount > 0) forgetUndo()
      takeAgain(failed.map(({ name }) => name))
    }
    const isListed = bulk !== undefined
    api.emit({ kind: 'refused', action, failed, doneCount, isListed, retry })
  })

  function takeAgain(again: readonly string[]): void {
    const { board } = options
    takeStep(api, {
      ...options,
      targets: again,
      board: board && withMoreItems(board, -doneCount),
      shown: undefined,
      continues: undefined,
      onPart: undefined,
      retries: bulk,
    })
  }

  /** Corrects the number of images in the journal. */
  function describeDone(id: string, done: readonly string[]): void {
    api.journal.describe(id, {
      action: { ...action, count: done.length },
      thumbnails: done.slice(0, THUMBNAILS),
      recipe: recipe(),
    })
  }
  if (isReported && isInParts(action)) reportParts()
  else if (isReported) api.emit({ kind: 'taken', action, undo })
  return { outcome, undo, left, revert, recipe }
}

interface BulkOptions {
  readonly action: StepAction
  readonly heldMs?: number
  readonly undo: () => void
  /** The images whose names the page knows. */
  readonly targets: readonly string[]
}

/** Lists a change of many images while it runs. Its toast closes when it is listed. */
export const beginBulk = (
  { bulk, emit, queryClient }: StepsApi,
  { targets, ...options }: BulkOptions,
): BulkRun =>
  bulk.begin({
    ...options,
    fileNames: new Map(
      [...knownImages(queryClient, targets)].map(([name, record]) => [
        name,
        record.file_name || name,
      ]),
    ),
    onListed: (doneCount) =>
      emit({
        kind: 'in parts',
        action: options.action,
        doneCount,
        isListed: true,
        undo: options.undo,
      }),
  })

/**
 * Reverts a step with changes to the previous values. Images and boards that are no longer as the step left them are
 * refused. Unsent changes with an unknown previous value are dropped.
 *
 * @returns Resolves when the server has answered. Never rejects.
 */
export async function undoStep(
  api: StepsApi,
  options: StepOptions,
  had: TargetsByBefore,
  progress: RestoreProgress,
): Promise<Outcome> {
  const { aspect, wanted, board, restoredTo = [] } = options
  const unknown = had.get(undefined) ?? []
  const withdrawn = new Set(api.worker.withdraw({ aspect, targets: unknown }))
  const restoredBoards = new Map(restoredTo.flatMap(([id, names]) => names.map((one) => [one, id])))
  const groups = [...had].flatMap(([value, all]) => {
    if (value === undefined) return []
    const byBoard: ReadonlyMap<Value, readonly string[]> =
      restoredBoards.size === 0
        ? new Map([[wanted, all]])
        : Map.groupBy(all, (target) => restoredBoards.get(target) ?? wanted)
    return [...byBoard].map(([onlyIf, targets]) => ({ value, onlyIf, targets }))
  })
  const outcomes = groups.map(({ value, onlyIf, targets }) => {
    const { outcome, left } = takeStep(api, {
      ...options,
      isMember: false,
      wanted: value,
      targets,
      before: () => wanted,
      onlyIf,
      undone: wanted,
      ...(aspect === 'board' && { boards: { get: () => String(wanted) } }),
      heldMs: 0,
      hasUndo: false,
      onPart: progress.add,
      continues: undefined,
      repeats: undefined,
    })
    progress.expect(isAlone(aspect) ? 0 : left)
    return outcome
  })
  const isBoard = aspect === 'board_trashed' && wanted !== false && board !== undefined
  const stopPolling = isBoard ? progress.poll(board) : () => {}
  const results = await Promise.all(outcomes)
  stopPolling()
  const outcome: Outcome = {
    done: [...withdrawn, ...results.flatMap(({ done }) => done)],
    failed: [
      ...results.flatMap(({ failed }) => failed),
      ...unknown.filter((name) => !withdrawn.has(name)).map((name) => ({ name, reason: UNKNOWN })),
    ],
  }
  progress.end(outcome.failed.length > 0)
  return outcome
}

const NONE_MOVED: MovedWithBoard = { trashed: [], kept: [] }

const NOTHING_SHOWN: Shown = Object.assign(() => {}, { settle: () => {}, restore: () => null })
