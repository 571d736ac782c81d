import type { Board } from '#client/index.ts'
import { MAX_DUPLICATE_GROUPS } from '#contract/limits.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import { sleep } from '#gallery/api/clock.ts'
import { knownBoards, knownImages } from '#gallery/api/images/known-images.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { StepRecipe, StepsRecipe } from '#gallery/api/journal/recipe.ts'
import { Listeners, useSource } from '#gallery/api/listeners.ts'
import { usePart } from '#gallery/api/parts.ts'
import { hasTag } from '#gallery/api/tags/tag-lists.ts'
import { fieldOf } from './board-requests.ts'
import { BulkChanges } from './bulk-changes.ts'
import type { OutboxEvent, StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import {
  type Aspect,
  type BoardAspect,
  isOfDuplicates,
  tagAspectOf,
  type Value,
} from './outbox-state.ts'
import { takeStep } from './outbox-steps.ts'
import { OutboxStorage } from './outbox-storage.ts'
import { IMAGES_PER_PART, type OutboxState } from './outbox-work.ts'
import { OutboxWorker, PAUSED } from './outbox-worker.ts'
import { raiseRatings } from './raise-ratings.ts'
import { limitsOf, lookUp, sendDeletions, sendRequest } from './request-sender.ts'
import { restoreAll, type TrashContent } from './restore-all.ts'
import { resumeChanges } from './resume-changes.ts'
import { type Images, takeImageStep } from './rule-steps.ts'
import { runnerOfSteps, takeSteps } from './several-steps.ts'
import {
  isAlone,
  type OutboxApi,
  type Step,
  type StepOptions,
  type StepsApi,
} from './step-options.ts'
import { runnerOfStep } from './undo-step.ts'

/** The server accepts ten batch requests per minute. A change that would need more uses larger parts. */
const LARGE_CHANGE = { images: 10 * IMAGES_PER_PART, imagesPerPart: 10_000 }

/** The delay before a permanent deletion is sent, in milliseconds. The server cannot undo it, so Undo cancels it. */
export const UNDO_WINDOW_MS = 10_000

/** The changes of the user. The page shows them at once, and they are sent to the server in the background. */
export class Outbox {
  readonly #api: StepsApi
  readonly #storage: OutboxStorage

  /** Sends the changes. It knows those that the server has not confirmed. */
  readonly worker: OutboxWorker

  /** The changes of many images that run, and those that ended with failures. */
  readonly bulk: BulkChanges

  readonly events = new Listeners<OutboxEvent>()

  constructor(api: OutboxApi) {
    const { client, clock } = api
    const storage = new OutboxStorage(clock)
    this.#storage = storage
    this.worker = new OutboxWorker({
      send: (request, parts) => sendRequest(client, request, parts),
      lookUp: (aspect, targets) => lookUp(client, aspect, targets),
      freeAt: (request) =>
        client.pacer.freeAt({ limits: limitsOf(request), priority: 'foreground' }),
      maxTargets: (aspect, count = 1) => {
        if (isAlone(aspect)) return 1
        if (isOfDuplicates(aspect)) return MAX_DUPLICATE_GROUPS
        return count > LARGE_CHANGE.images ? LARGE_CHANGE.imagesPerPart : IMAGES_PER_PART
      },
      save: (entries) => storage.save(entries),
      now: () => clock.now(),
      sleep: (ms) => sleep(clock, ms),
    })
    this.bulk = new BulkChanges({ clock, worker: this.worker })
    this.#api = { ...api, worker: this.worker, bulk: this.bulk, emit: this.events.emit }
    client.pacer.subscribe(() => this.worker.wake())
  }

  /** Resumes the changes of earlier pages. The result resolves when they are sent. */
  start(signal: AbortSignal): Promise<void> {
    this.#sendDelayedOnUnload(signal)
    return resumeChanges(this.#api, this.#storage)
  }

  /** Returns the Undo and the Redo of an action of an earlier page or another tab. */
  runnerOf(entry: { id: string; action: StepAction }, recipe: StepRecipe | StepsRecipe): Runner {
    return recipe.kind === 'steps'
      ? runnerOfSteps(this.#api, entry, recipe)
      : runnerOfStep(this.#api, entry, recipe)
  }

  /** Calls the listener when a request got no answer. */
  onFailure(listener: () => void): void {
    let failures = 0
    this.worker.subscribe(() => {
      const before = failures
      failures = this.worker.getState().failures
      if (failures > before) listener()
    })
  }

  /** Discards all pending changes. */
  drop(): void {
    this.worker.drop()
    this.bulk.clear()
  }

  /** Sends all pending changes except paused ones, and waits for the answers, for at most `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    this.bulk.cancelPaused()
    this.worker.release()
    const isEmpty = () => this.worker.entries().length === 0
    await new Promise<void>((resolve) => {
      const stop = this.worker.subscribe(() => isEmpty() && end())
      const timer = this.#api.clock.setTimeout(() => end(), timeoutMs)
      const end = () => {
        stop()
        this.#api.clock.clearTimeout(timer)
        resolve()
      }
      if (isEmpty()) end()
    })
  }

  readonly star = (images: Images, starred: boolean): Step =>
    takeImageStep(this.#api, images, (imageNames) => {
      const known = knownImages(this.#api.queryClient, imageNames)
      return {
        aspect: 'starred',
        wanted: starred,
        targets: imageNames,
        before: (name) => known.get(name)?.starred,
      }
    })

  /** Rates images from 1 to 5; 0 takes the rating away. */
  readonly rate = (images: Images, rating: number): Step =>
    takeImageStep(this.#api, images, (imageNames) => {
      const known = knownImages(this.#api.queryClient, imageNames)
      return {
        aspect: 'rating',
        wanted: rating,
        targets: imageNames,
        before: (name) => known.get(name)?.rating,
      }
    })

  /** Rates images with a lower rating. Images with the same or a better one stay as they are. */
  readonly raise = (images: Images, rating: number): Promise<void> =>
    raiseRatings(this.#api, images, rating)

  /** Adds a tag to images, or removes it. */
  readonly tag = (images: Images, tag: string, isAdded: boolean): Step =>
    takeImageStep(this.#api, images, (imageNames) => {
      const known = knownImages(this.#api.queryClient, imageNames)
      const before = (name: string) => {
        const record = known.get(name)
        return record && hasTag(record.tags, tag)
      }
      return { aspect: tagAspectOf(tag), wanted: isAdded, targets: imageNames, before }
    })

  /** Moves images to a board; `none` makes them uncategorized. */
  readonly move = (images: Images, boardId: string): Step =>
    takeImageStep(this.#api, images, (imageNames) => {
      const boards = knownBoards(this.#api.queryClient, imageNames)
      return {
        aspect: 'board',
        wanted: boardId,
        targets: imageNames,
        before: (name) => boards.get(name),
        boards,
        boardName: boardNameOf(this.#api.queryClient, boardId),
      }
    })

  /**
   * Moves images to the trash. A server without a trash deletes them permanently after {@link UNDO_WINDOW_MS}. They
   * disappear from the views at once.
   */
  trash(images: Images): Step {
    const hasTrash = this.mayHaveTrash()
    return takeImageStep(this.#api, images, (imageNames) => ({
      aspect: hasTrash ? 'trashed' : 'deleted',
      wanted: true,
      targets: imageNames,
      before: () => false,
      boards: knownBoards(this.#api.queryClient, imageNames),
      ...(!hasTrash && { heldMs: UNDO_WINDOW_MS }),
    }))
  }

  /** Moves images to the trash because the action that created them is undone. */
  discard(imageNames: readonly string[]): Promise<Outcome> {
    return takeStep(this.#api, {
      aspect: 'trashed',
      wanted: true,
      targets: imageNames,
      before: () => false,
      boards: knownBoards(this.#api.queryClient, imageNames),
      hasUndo: false,
      undone: false,
    }).outcome
  }

  /** Restores images because the action that created them is repeated. */
  restoreDiscarded(imageNames: readonly string[]): Promise<Outcome> {
    return takeStep(this.#api, {
      aspect: 'trashed',
      wanted: false,
      targets: imageNames,
      before: () => true,
      hasUndo: false,
      undone: true,
    }).outcome
  }

  /** Restores images from the trash to their boards. */
  readonly restore = (images: Images): Step =>
    takeImageStep(this.#api, images, (imageNames) => ({
      aspect: 'trashed',
      wanted: false,
      targets: imageNames,
      before: () => true,
    }))

  /** Restores images from the trash to a board instead of theirs. */
  readonly restoreTo = (images: Images, boardId: string): Step =>
    takeImageStep(this.#api, images, (imageNames) => ({
      aspect: 'trashed',
      wanted: boardId,
      targets: imageNames,
      before: () => true,
      boardName: boardNameOf(this.#api.queryClient, boardId),
    }))

  /** Restores everything in the trash. */
  readonly restoreTrash = (content: TrashContent): Step => restoreAll(this.#api, content)

  /** Permanently deletes all items in the trash, including pending ones. There is no Undo. */
  emptyTrash(): Step {
    return takeStep(this.#api, {
      aspect: 'trash_emptied',
      wanted: true,
      targets: [`emptied ${this.#api.clock.now()}`],
      before: () => false,
      hasUndo: false,
    })
  }

  renameBoard(board: Board, boardName: string): Step {
    return takeStep(this.#api, renameOf(board, boardName))
  }

  /** Renames the boards of a group, as one action. `renamed` returns the new name of a board. */
  renameGroup(
    group: string,
    boards: readonly Board[],
    { boardName, renamed }: { boardName: string; renamed: (board: Board) => string },
  ): Step {
    const steps = boards.map((board) => renameOf(board, renamed(board)))
    const count = boards.length
    const action = { aspect: 'board_name', wanted: boardName, count, group, boardName } as const
    return takeSteps(this.#api, action, steps)
  }

  /** Archives or unarchives the boards of a group, as one action. */
  archiveGroup(group: string, boards: readonly Board[], wanted: boolean): Step {
    const steps = boards
      .filter(({ archived }) => archived !== wanted)
      .map((board) => changeOf(board, 'board_archived', wanted))
    const action = { aspect: 'board_archived', wanted, count: steps.length, group } as const
    return takeSteps(this.#api, action, steps)
  }

  /** Moves the boards of a group to the trash, as one action. The options are those of {@link trashBoard}. */
  trashGroup(group: string, boards: readonly Board[], images: 'keep' | 'delete'): Step {
    const steps = boards.map((board) => this.#trashOf(board, images))
    const { aspect, wanted } = this.#trashing(images)
    const imageCount = boards.reduce((sum, board) => sum + itemCountOf(board), 0)
    const action = { aspect, wanted, count: boards.length, group, imageCount }
    return takeSteps(this.#api, action, steps)
  }

  /**
   * Moves a board to the trash. With `keep` its images become uncategorized, with `delete` they move to the trash too.
   * A server without a trash deletes them permanently after {@link UNDO_WINDOW_MS}.
   */
  trashBoard(board: Board, images: 'keep' | 'delete'): Step {
    return takeStep(this.#api, this.#trashOf(board, images))
  }

  #trashOf(board: Board, images: 'keep' | 'delete'): StepOptions {
    return {
      ...this.#trashing(images),
      targets: [board.board_id],
      before: () => false,
      board,
      boardName: board.board_name,
      ...(!this.mayHaveTrash() && { heldMs: UNDO_WINDOW_MS }),
    }
  }

  #trashing(images: 'keep' | 'delete') {
    const aspect: Aspect = this.mayHaveTrash() ? 'board_trashed' : 'board_deleted'
    return { aspect, wanted: images === 'keep' ? 'without images' : 'with images' }
  }

  /** Restores a board from the trash, with the images that were deleted with it. */
  restoreBoard(board: Board): Step {
    return takeStep(this.#api, {
      aspect: 'board_trashed',
      wanted: false,
      targets: [board.board_id],
      before: () => 'without images',
      board,
      boardName: board.board_name,
    })
  }

  /** Changes a property of a board other than its name. */
  changeBoard(board: Board, aspect: Exclude<BoardAspect, 'board_name'>, wanted: Value): Step {
    return takeStep(this.#api, changeOf(board, aspect, wanted))
  }

  /** Adds the creation of a board to the journal. Undo deletes it if it has no images. */
  boardCreated(board: Board): void {
    const aspect = this.mayHaveTrash() ? 'board_trashed' : 'board_deleted'
    const { board_id, board_name: boardName } = board
    const description = board.description ?? ''
    const action: StepAction = { aspect: 'board_created', wanted: true, count: 1, boardName }
    const recipe: StepRecipe = {
      kind: 'step',
      options: { aspect, wanted: false, boardName, description, board, maxImages: 0 },
      had: new Map([['without images', [board_id]]]),
    }
    const entry = this.#api.journal.add({ action, thumbnails: [], recipe }, null)
    this.#api.journal.confirm(entry)
  }

  /** True until the capabilities are known, so that no image is deleted permanently on a server with a trash. */
  readonly mayHaveTrash = (): boolean =>
    this.#api.capabilities.has('trash') || !this.#api.capabilities.areKnown

  /** Sends the delayed deletions when the page is unloaded, because Undo is no longer possible. */
  #sendDelayedOnUnload(signal: AbortSignal): void {
    const sendDelayed = ({ persisted }: PageTransitionEvent) => {
      if (persisted) return
      const now = this.#api.clock.now()
      const delayed = this.worker
        .entries()
        .filter(({ heldUntil }) => heldUntil > now && heldUntil !== PAUSED)
      sendDeletions(this.#api.unloadClient, delayed)
    }
    window.addEventListener('pagehide', sendDelayed, { signal })
  }
}

const changeOf = (board: Board, aspect: BoardAspect, wanted: Value): StepOptions => ({
  aspect,
  wanted,
  targets: [board.board_id],
  before: () => fieldOf(board, aspect),
  board,
  boardName: board.board_name,
})

const renameOf = (board: Board, boardName: string): StepOptions => ({
  ...changeOf(board, 'board_name', boardName),
  boardName,
})

export const useOutboxState = (): OutboxState => useSource(usePart(OutboxWorker))
