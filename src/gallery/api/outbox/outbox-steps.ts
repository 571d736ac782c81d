import { notifyManager } from '@tanstack/react-query'
import type { CacheApi, GalleryApi } from '#gallery/api/gallery-api.ts'
import { type Shown, type ShownChange, showChange } from '#gallery/api/images/show-change.ts'
import type { OutboxEvent, StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import type { Aspect, Value } from './outbox-state.ts'
import type { OutboxWorker } from './outbox-worker.ts'
import { IMAGES_PER_PART } from './request-sender.ts'
import { RestoreProgress } from './restore-progress.ts'

/** A user action. The page shows it optimistically, and reports it with Undo and its refusals as outbox events. */
export interface Step {
  /** Resolves when the server has answered. Never rejects. */
  readonly outcome: Promise<Outcome>
  /** Reverts the step, whether it has been sent or not. Later calls have no effect. */
  undo(): void
}

/** The delay before a change is sent, in milliseconds. Changes within this time share a request. */
const GATHER_MS = 120

export interface StepOptions extends ShownChange {
  readonly before: (target: string) => Value | undefined
  readonly boardName?: string | undefined
  readonly heldMs?: number
  /** False if the step cannot be undone, for example because it is an Undo. */
  readonly hasUndo?: boolean
  /** Called after each part except the last, with the number of its images. */
  readonly onPart?: ((imageCount: number) => void) | undefined
  /** The optimistic update, if the page already shows the change. */
  readonly shown?: Shown | undefined
  /** The step that this one continues. It is already reported and has an Undo. */
  readonly continues?: { readonly action: StepAction; readonly undo: () => void } | undefined
}

export type OutboxApi = CacheApi & Pick<GalleryApi, 'refresh' | 'undo'>

/** The parts of the data layer that steps need. */
export interface StepsApi extends OutboxApi {
  readonly worker: OutboxWorker
  readonly emit: (event: OutboxEvent) => void
}

interface TakenStep extends Step {
  /** The number of images or boards that need an answer of the server. */
  readonly left: number
}

type TargetsByBefore = Map<Value | undefined, readonly string[]>

export function takeStep(api: StepsApi, options: StepOptions): TakenStep {
  const { aspect, wanted, heldMs = GATHER_MS, continues } = options
  const isNew = continues === undefined && (options.hasUndo ?? true)
  const had = targetsByBefore(options)
  const targets = [...had.values()].flat()
  const action = continues?.action ?? actionOf(options, targets.length)
  if (targets.length === 0) {
    if (continues && isInParts(action)) api.emit({ kind: 'taken', ...continues })
    else api.emit({ kind: 'nothing', action: actionOf(options, options.targets.length) })
    const outcome = Promise.resolve({ done: [...options.targets], failed: [] })
    return { outcome, undo: () => {}, left: 0 }
  }

  const shown = options.shown ?? showChange(api, { ...options, targets })
  const changes = [...had].map(([before, targets]) => ({ aspect, targets, wanted, before }))
  let doneCount = 0
  let isTaken = false
  let isUndone = false
  const reportParts = (isOver = false) => {
    if (isUndone || !isInParts(action) || !(isNew || continues)) return
    const step = { action, undo: continues?.undo ?? undo }
    api.emit(isOver ? { kind: 'taken', ...step } : { kind: 'in parts', doneCount, ...step })
  }
  const { outcome, left } = api.worker.take(changes, {
    heldUntil: api.clock.now() + heldMs,
    onLearned: (learned, value) => learnBefore(had, learned, value),
    onPart: (imageCount) => {
      // Targets that need no request settle while `worker.take` runs.
      if (!isTaken) return
      doneCount += imageCount
      reportParts()
      options.onPart?.(imageCount)
    },
  })
  isTaken = true

  let isAnswered = false
  const undo = once(() => {
    forgetUndo()
    if (isFinal(aspect) && api.worker.withdraw({ aspect, targets }).length === 0) return
    isUndone = true
    shown()
    const progress = new RestoreProgress(api, action)
    const isComing = notifyManager.batch(() => {
      const restored = isAnswered ? shown.restore() : null
      if (isFinal(aspect)) return false
      const undone = { ...options, shown: isAnswered ? undefined : NOTHING_SHOWN }
      void undoStep(api, undone, had, progress).then(restored)
      return isAnswered && restored === null && (aspect === 'board' || aspect === 'trashed')
    })
    if (!progress.report()) api.emit({ kind: 'undone', action, isComing })
  })
  const forgetUndo = isNew ? api.undo.push(undo) : () => {}
  void outcome.then(({ done, failed }) => {
    isAnswered = true
    if (isFinal(aspect)) {
      forgetUndo()
      api.emit({ kind: 'final', action })
    }
    if (done.length === 0) shown()
    else shown.settle()
    const { boards, board } = options
    const isRefused = failed.length > 0
    api.refresh.after({
      aspect,
      wanted,
      isRefused,
      targets: done,
      ...(boards && { boards }),
      board,
    })
    if (!isRefused) {
      reportParts(true)
      return
    }
    if (done.length === 0 && doneCount === 0) forgetUndo()
    const retry = () => {
      // Undo of the new step also restores the images that have left the board.
      if (board && doneCount > 0) forgetUndo()
      takeStep(api, {
        ...options,
        targets: failed.map(({ name }) => name),
        board: board && { ...board, image_count: Math.max(0, board.image_count - doneCount) },
        shown: undefined,
        continues: undefined,
        onPart: undefined,
      })
    }
    api.emit({ kind: 'refused', action, failed, doneCount, retry })
  })
  if (isNew && isInParts(action)) reportParts()
  else if (isNew) api.emit({ kind: 'taken', action, undo })
  return { outcome, undo, left }
}

/**
 * Reverts a step with changes to the previous values. Unsent changes with an unknown previous value are dropped.
 *
 * @returns Resolves when the server has answered. Never rejects.
 */
async function undoStep(
  api: StepsApi,
  options: StepOptions,
  had: TargetsByBefore,
  progress: RestoreProgress,
): Promise<void> {
  const { aspect, wanted, board } = options
  api.worker.withdraw({ aspect, targets: had.get(undefined) ?? [] })
  const outcomes = [...had].flatMap(([value, targets]) => {
    if (value === undefined) return []
    const boards = new Map(targets.map((target) => [target, String(wanted)]))
    const { outcome, left } = takeStep(api, {
      ...options,
      wanted: value,
      targets,
      before: () => wanted,
      undone: wanted,
      ...(aspect === 'board' && { boards }),
      heldMs: 0,
      hasUndo: false,
      onPart: progress.add,
      continues: undefined,
    })
    progress.expect(isAlone(aspect) ? 0 : left)
    return [outcome]
  })
  const isBoard = aspect === 'board_trashed' && wanted !== false && board !== undefined
  const stopPolling = isBoard ? progress.poll(board) : () => {}
  const hasFailed = (await Promise.all(outcomes)).some(({ failed }) => failed.length > 0)
  stopPolling()
  progress.end(hasFailed)
}

/** True for a change that is sent in several requests. The page shows its progress. */
export function isInParts({ aspect, wanted, count, imageCount = 0 }: StepAction): boolean {
  // A final change is announced while it is held back, not while it is sent.
  if (isFinal(aspect)) return false
  if (aspect === 'board_trashed') return wanted !== false && imageCount > IMAGES_PER_PART
  return !isAlone(aspect) && count > IMAGES_PER_PART
}

function targetsByBefore({ targets, before, wanted }: StepOptions): TargetsByBefore {
  const had: TargetsByBefore = Map.groupBy(new Set(targets), before)
  had.delete(wanted)
  return had
}

function learnBefore(had: TargetsByBefore, learned: readonly string[], value: Value): void {
  const isKnown = new Set(learned)
  had.set(undefined, had.get(undefined)?.filter((target) => !isKnown.has(target)) ?? [])
  had.set(value, [...(had.get(value) ?? []), ...learned])
}

export function actionOf(options: StepOptions, count: number): StepAction {
  const { aspect, wanted, boardName, board } = options
  return { aspect, wanted, count, boardName, imageCount: board?.image_count }
}

/** True if each target needs a separate request. */
export const isAlone = (aspect: Aspect): boolean =>
  aspect.startsWith('board_') || aspect === 'trash_emptied'

/** True if the change cannot be undone after it was sent. Such changes are delayed for Undo. */
export const isFinal = (aspect: Aspect): boolean =>
  aspect === 'deleted' || aspect === 'board_deleted'

const NOTHING_SHOWN: Shown = Object.assign(() => {}, { settle: () => {}, restore: () => null })

export function once(run: () => void): () => void {
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    run()
  }
}
