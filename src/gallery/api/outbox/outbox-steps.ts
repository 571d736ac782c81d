import { notifyManager } from '@tanstack/react-query'
import type { Board, TesseraClient } from '#client/index.ts'
import { type Clock, sleep } from '#gallery/api/clock.ts'
import type { Shown, ShownChange } from '#gallery/api/images/show-change.ts'
import type { Refresh } from '#gallery/api/refresh.ts'
import type { OutboxEvent, StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import type { Aspect, Value } from './outbox-state.ts'
import type { OutboxWorker } from './outbox-worker.ts'
import { IMAGES_PER_PART } from './request-sender.ts'
import type { UndoStack } from './undo.ts'

/** A user action. The page shows it optimistically, and reports it with Undo and its refusals as outbox events. */
export interface Step {
  /** Resolves when the server has answered. Never rejects. */
  readonly outcome: Promise<Outcome>
  /** Reverts the step, whether it has been sent or not. Later calls have no effect. */
  undo(): void
}

/** The delay before a change is sent, in milliseconds. Changes within this time share a request. */
const GATHER_MS = 120

/** The polling interval for the progress of a restored board, in milliseconds. */
const POLL_MS = 1_000

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
  readonly goesOnWith?: { readonly action: StepAction; readonly undo: () => void } | undefined
}

interface TakenStep extends Step {
  /** The number of images or boards that need an answer of the server. */
  readonly left: number
}

/** Reports how many images an Undo has restored, if it restores them in parts. */
class RestoreProgress {
  readonly #action: StepAction
  readonly #emit: (event: OutboxEvent) => void
  #count = 0
  #doneCount = 0

  constructor(action: StepAction, emit: (event: OutboxEvent) => void) {
    this.#action = action
    this.#emit = emit
  }

  /** Adds images that are to be restored. */
  expect(imageCount: number): void {
    this.#count += imageCount
  }

  readonly add = (imageCount: number): void => this.reach(this.#doneCount + imageCount)

  reach(doneCount: number): void {
    if (doneCount === this.#doneCount) return
    this.#doneCount = doneCount
    this.tell()
  }

  end(hasFailed: boolean): void {
    if (!hasFailed) this.#doneCount = this.#count
    this.tell(true)
  }

  /** @returns True if there are so many images that the progress is reported. */
  tell(isOver = false): boolean {
    const [action, count, doneCount] = [this.#action, this.#count, this.#doneCount]
    if (count <= IMAGES_PER_PART) return false
    this.#emit({ kind: 'coming back', action, doneCount, count, isOver })
    return true
  }
}

/** The targets of a step by their previous value. */
type TargetsByBefore = Map<Value | undefined, readonly string[]>

interface OutboxStepsOptions {
  readonly client: TesseraClient
  readonly clock: Clock
  readonly show: (change: ShownChange) => Shown
  readonly refresh: Refresh
  readonly undo: UndoStack
  readonly worker: OutboxWorker
  readonly emit: (event: OutboxEvent) => void
}

/** Takes the steps of the user. */
export class OutboxSteps {
  readonly #api: OutboxStepsOptions

  constructor(api: OutboxStepsOptions) {
    this.#api = api
  }

  /** Shows a step optimistically and adds it to the outbox. */
  take(options: StepOptions): TakenStep {
    const { aspect, wanted, heldMs = GATHER_MS, goesOnWith } = options
    const isNew = goesOnWith === undefined && (options.hasUndo ?? true)
    const had = targetsByBefore(options)
    const targets = [...had.values()].flat()
    const action = goesOnWith?.action ?? actionOf(options, targets.length)
    if (targets.length === 0) {
      if (goesOnWith && isInParts(action)) this.#api.emit({ kind: 'taken', ...goesOnWith })
      else this.#api.emit({ kind: 'nothing', action: actionOf(options, options.targets.length) })
      const outcome = Promise.resolve({ done: [...options.targets], failed: [] })
      return { outcome, undo: () => {}, left: 0 }
    }

    const shown = options.shown ?? this.#api.show({ ...options, targets })
    const changes = [...had].map(([before, targets]) => ({ aspect, targets, wanted, before }))
    /** The number of images in the finished parts. */
    let doneCount = 0
    let isTaken = false
    let isUndone = false
    const tellParts = (isOver = false) => {
      if (isUndone || !isInParts(action) || !(isNew || goesOnWith)) return
      const told = { action, undo: goesOnWith?.undo ?? undo }
      this.#api.emit(isOver ? { kind: 'taken', ...told } : { kind: 'in parts', doneCount, ...told })
    }
    const { outcome, left } = this.#api.worker.take(changes, {
      heldUntil: this.#api.clock.now() + heldMs,
      onLearned: (learnt, value) => learnBefore(had, learnt, value),
      onPart: (imageCount) => {
        // Targets that need no request settle while `worker.take` runs.
        if (!isTaken) return
        doneCount += imageCount
        tellParts()
        options.onPart?.(imageCount)
      },
    })
    isTaken = true

    let isAnswered = false
    const undo = once(() => {
      forgetUndo()
      if (isFinal(aspect) && this.#api.worker.withdraw({ aspect, targets }).length === 0) return
      isUndone = true
      shown()
      const returning = new RestoreProgress(action, this.#api.emit)
      const isComing = notifyManager.batch(() => {
        const returned = isAnswered ? shown.restore() : null
        if (isFinal(aspect)) return false
        const whatWas = { ...options, shown: isAnswered ? undefined : nothingShown }
        const undone = this.#undoStep(whatWas, had, returning)
        void undone.then(returned)
        return isAnswered && returned === null && (aspect === 'board' || aspect === 'trashed')
      })
      if (!returning.tell()) this.#api.emit({ kind: 'undone', action, isComing })
    })
    const forgetUndo = isNew ? this.#api.undo.push({ undo }) : () => {}
    void outcome.then(({ done, failed }) => {
      isAnswered = true
      if (isFinal(aspect)) {
        forgetUndo()
        this.#api.emit({ kind: 'final', action })
      }
      if (done.length === 0) shown()
      else shown.settle()
      const { boards, board } = options
      const isRefused = failed.length > 0
      this.#api.refresh.after({
        aspect,
        wanted,
        isRefused,
        targets: done,
        ...(boards && { boards }),
        board,
      })
      if (failed.length === 0) {
        tellParts(true)
        return
      }
      if (done.length === 0 && doneCount === 0) forgetUndo()
      const again = { ...options, targets: failed.map(({ name }) => name), ...asNew }
      const rest = board && { ...board, image_count: Math.max(0, board.image_count - doneCount) }
      const retry = () => {
        // Undo of the new step also restores the images that have left the board.
        if (board && doneCount > 0) forgetUndo()
        this.take({ ...again, board: rest })
      }
      this.#api.emit({ kind: 'refused', action, failed, doneCount, retry })
    })
    if (isNew && isInParts(action)) tellParts()
    else if (isNew) this.#api.emit({ kind: 'taken', action, undo })
    return { outcome, undo, left }
  }

  /**
   * Reverts a step with changes to the previous values. Unsent changes with an unknown previous value are dropped.
   *
   * @returns Resolves when the server has answered. Never rejects.
   */
  async #undoStep(
    options: StepOptions,
    had: TargetsByBefore,
    returning: RestoreProgress,
  ): Promise<void> {
    const { aspect, wanted, board } = options
    this.#api.worker.withdraw({ aspect, targets: had.get(undefined) ?? [] })
    const steps = [...had].map(([value, targets]) => {
      if (value === undefined) return null
      const boards = new Map(targets.map((target) => [target, String(wanted)]))
      const step = this.take({
        ...options,
        wanted: value,
        targets,
        before: () => wanted,
        undone: wanted,
        ...(aspect === 'board' && { boards }),
        heldMs: 0,
        hasUndo: false,
        onPart: returning.add,
        goesOnWith: undefined,
      })
      returning.expect(isAlone(aspect) ? 0 : step.left)
      return step
    })
    const isBoard = aspect === 'board_trashed' && wanted !== false && board !== undefined
    const stopPolling = isBoard ? this.#pollRestoredCount(board, returning) : () => {}
    const outcomes = await Promise.all(steps.map((step) => step?.outcome))
    stopPolling()
    returning.end(outcomes.some((outcome) => (outcome?.failed.length ?? 0) > 0))
  }

  /**
   * Polls the image count of a board that the server restores in one request, to report the progress.
   *
   * @returns A function that stops polling.
   */
  #pollRestoredCount({ board_id, image_count }: Board, returning: RestoreProgress): () => void {
    returning.expect(image_count)
    if (image_count <= IMAGES_PER_PART) return () => {}
    let isOver = false
    const poll = async () => {
      while (!isOver) {
        await sleep(this.#api.clock, POLL_MS)
        // The board does not exist until its first images are restored.
        const board = await this.#api.client.boardOperations.get(board_id).catch(() => null)
        if (board && !isOver) returning.reach(Math.min(board.image_count, image_count))
      }
    }
    void poll()
    return () => {
      isOver = true
    }
  }
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

function learnBefore(had: TargetsByBefore, learnt: readonly string[], value: Value): void {
  const isKnown = new Set(learnt)
  had.set(undefined, had.get(undefined)?.filter((target) => !isKnown.has(target)) ?? [])
  had.set(value, [...(had.get(value) ?? []), ...learnt])
}

const asNew = { shown: undefined, goesOnWith: undefined, onPart: undefined }

/** Describes a step on `count` images or boards. */
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

const nothingShown: Shown = Object.assign(() => {}, { settle: () => {}, restore: () => null })

/** Returns a function that calls `run` only the first time. */
export function once(run: () => void): () => void {
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    run()
  }
}
