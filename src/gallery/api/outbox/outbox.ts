import type { QueryClient } from '@tanstack/react-query'
import type { Board, TesseraClient } from '#client/index.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import { type Clock, sleep } from '#gallery/api/clock.ts'
import type { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageCache } from '#gallery/api/images/image-cache.ts'
import type { ImageQueries } from '#gallery/api/images/image-queries.ts'
import { TRASH_VIEW } from '#gallery/api/images/image-windows.ts'
import { knownBoards, knownImages } from '#gallery/api/images/known-images.ts'
import type { Shown, ShownChange } from '#gallery/api/images/show-change.ts'
import { Listeners, useSource } from '#gallery/api/listeners.ts'
import type { Refresh } from '#gallery/api/refresh.ts'
import type { OutboxEvent } from './outbox-events.ts'
import { OutboxJournal } from './outbox-journal.ts'
import { type Aspect, type Entry, targetsOf, type Value } from './outbox-state.ts'
import { isAlone, OutboxSteps, type Step } from './outbox-steps.ts'
import type { OutboxState } from './outbox-work.ts'
import { OutboxWorker } from './outbox-worker.ts'
import { IMAGES_PER_PART, limitsOf, RequestSender } from './request-sender.ts'
import { type Images, RuleSteps } from './rule-steps.ts'
import type { UndoStack } from './undo.ts'

/** Image names in a `keepalive` request. Browsers limit such requests to 64 kB in total, and a name has 40 bytes. */
const MAX_NAMES = 1000

/** The server accepts ten batch requests per minute. A change that would need more uses larger parts. */
const LARGE_CHANGE = { images: 10 * IMAGES_PER_PART, imagesPerPart: 10_000 }

/** The delay before a permanent deletion is sent, in milliseconds. The server cannot undo it, so Undo cancels it. */
export const UNDO_WINDOW_MS = 10_000

interface OutboxOptions {
  readonly client: TesseraClient
  readonly unloadClient: TesseraClient
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly capabilities: ServerCapabilities
  readonly imageCache: ImageCache
  readonly imageQueries: ImageQueries
  readonly show: (change: ShownChange) => Shown
  readonly refresh: Refresh
  readonly undo: UndoStack
}

/** The changes of the user. The page shows them at once, and they are sent to the server in the background. */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #journal: OutboxJournal
  readonly #worker: OutboxWorker
  readonly #steps: OutboxSteps
  readonly #rules: RuleSteps

  /** The events of all steps. */
  readonly events = new Listeners<OutboxEvent>()

  constructor(options: OutboxOptions) {
    const { client, clock, imageCache, show, refresh, undo } = options
    const { emit } = this.events
    const sender = new RequestSender(client)
    const journal = new OutboxJournal(clock)
    const worker = new OutboxWorker({
      send: (request, parts) => sender.send(request, parts),
      lookUp: (aspect, targets) => sender.lookUp(aspect, targets),
      freeAt: (request) =>
        client.pacer.freeAt({ limits: limitsOf(request), priority: 'foreground' }),
      maxTargets: (aspect, count = 1) => {
        if (isAlone(aspect)) return 1
        return count > LARGE_CHANGE.images ? LARGE_CHANGE.imagesPerPart : IMAGES_PER_PART
      },
      keep: (entries) => journal.save(entries),
      now: () => clock.now(),
      sleep: (ms) => sleep(clock, ms),
    })
    this.#options = options
    this.#journal = journal
    this.#worker = worker
    this.#steps = new OutboxSteps({ client, clock, show, refresh, undo, worker, emit })
    this.#rules = new RuleSteps({ imageCache, show, undo, steps: this.#steps, emit })
    client.pacer.subscribe(() => worker.look())
  }

  /** Resumes the changes of earlier pages. */
  start(signal: AbortSignal): void {
    void this.#resumeJournal()
    this.#sendDelayedOnUnload(signal)
  }

  getState(): OutboxState {
    return this.#worker.getState()
  }

  /** Subscribes to changes of the state. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    return this.#worker.subscribe(listener)
  }

  /** Returns the unconfirmed changes. */
  entries(): Entry[] {
    return this.#worker.entries()
  }

  /** Calls the listener when a request got no answer. */
  onFailure(listener: () => void): void {
    let failures = 0
    this.#worker.subscribe(() => {
      const before = failures
      failures = this.#worker.getState().failures
      if (failures > before) listener()
    })
  }

  /** Retries the unanswered request at once. */
  readonly retry = (): void => this.#worker.retryNow()

  /** Sends all pending changes and waits for the answers, for at most `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    this.#worker.release()
    const isEmpty = () => this.#worker.entries().length === 0
    await new Promise<void>((resolve) => {
      const stop = this.#worker.subscribe(() => isEmpty() && end())
      const timer = this.#options.clock.setTimeout(() => end(), timeoutMs)
      const end = () => {
        stop()
        this.#options.clock.clearTimeout(timer)
        resolve()
      }
      if (isEmpty()) end()
    })
  }

  /** Discards the changes that are not sent yet. */
  readonly drop = (): void => this.#worker.drop()

  /** Stars or unstars images. */
  readonly star = (images: Images, starred: boolean): Step =>
    this.#rules.take(images, (imageNames) => {
      const known = knownImages(this.#options.queryClient, imageNames)
      return {
        aspect: 'starred',
        wanted: starred,
        targets: imageNames,
        before: (name) => known.get(name)?.starred,
      }
    })

  /** Moves images to a board; `none` makes them uncategorized. */
  readonly move = (images: Images, boardId: string): Step =>
    this.#rules.take(images, (imageNames) => {
      const boards = knownBoards(this.#options.queryClient, imageNames)
      return {
        aspect: 'board',
        wanted: boardId,
        targets: imageNames,
        before: (name) => boards.get(name),
        boards,
        boardName: boardNameOf(this.#options.queryClient, boardId),
      }
    })

  /**
   * Moves images to the trash. A server without a trash deletes them permanently after {@link UNDO_WINDOW_MS}. They
   * disappear from the views at once.
   */
  trash(images: Images): Step {
    const hasTrash = this.#mayHaveTrash()
    return this.#rules.take(images, (imageNames) => ({
      aspect: hasTrash ? 'trashed' : 'deleted',
      wanted: true,
      targets: imageNames,
      before: () => false,
      boards: knownBoards(this.#options.queryClient, imageNames),
      ...(!hasTrash && { heldMs: UNDO_WINDOW_MS }),
    }))
  }

  /** Restores images from the trash to their boards. */
  readonly restore = (images: Images): Step =>
    this.#rules.take(images, (imageNames) => ({
      aspect: 'trashed',
      wanted: false,
      targets: imageNames,
      before: () => true,
    }))

  /** Restores all images and boards in the trash. */
  restoreTrash(trash: { total: number; boards: readonly Board[] }): void {
    for (const board of trash.boards) this.restoreBoard(board)
    if (trash.total === 0) return
    this.restore({
      view: TRASH_VIEW,
      positions: Array.from({ length: trash.total }, (_, position) => position),
      names: () =>
        this.#options.queryClient.fetchQuery(this.#options.imageQueries.names(TRASH_VIEW)),
    })
  }

  /** Permanently deletes all items in the trash, including pending ones. There is no Undo. */
  emptyTrash(): Step {
    return this.#steps.take({
      aspect: 'trash_emptied',
      wanted: true,
      targets: [`emptied ${this.#options.clock.now()}`],
      before: () => false,
      hasUndo: false,
    })
  }

  renameBoard(board: Board, boardName: string): Step {
    return this.#steps.take({
      aspect: 'board_name',
      wanted: boardName,
      targets: [board.board_id],
      before: () => board.board_name,
      board,
      boardName,
    })
  }

  /**
   * Moves a board to the trash. With `keep` its images become uncategorized, with `delete` they move to the trash too.
   * A server without a trash deletes them permanently after {@link UNDO_WINDOW_MS}.
   */
  trashBoard(board: Board, images: 'keep' | 'delete'): Step {
    const hasTrash = this.#mayHaveTrash()
    return this.#steps.take({
      aspect: hasTrash ? 'board_trashed' : 'board_deleted',
      wanted: images === 'keep' ? 'without images' : 'with images',
      targets: [board.board_id],
      before: () => false,
      board,
      boardName: board.board_name,
      ...(!hasTrash && { heldMs: UNDO_WINDOW_MS }),
    })
  }

  /** Restores a board from the trash, with the images that were deleted with it. */
  restoreBoard(board: Board): Step {
    return this.#steps.take({
      aspect: 'board_trashed',
      wanted: false,
      targets: [board.board_id],
      before: () => 'without images',
      board,
      boardName: board.board_name,
    })
  }

  /** True until the capabilities are known, so that no image is deleted permanently on a server with a trash. */
  readonly #mayHaveTrash = (): boolean =>
    this.#options.capabilities.has('trash') || !this.#options.capabilities.areKnown

  /** Resumes the unconfirmed changes in the journal, and shows them optimistically. */
  async #resumeJournal(): Promise<void> {
    const groups = Map.groupBy(await this.#journal.load(), groupOf)
    for (const entries of groups.values()) {
      const first = entries[0]
      if (first === undefined) continue
      const { aspect, wanted, heldUntil } = first
      const targets = targetsOf(entries)
      const shown = this.#options.show({ aspect, wanted, targets })
      const changes = [{ aspect, targets, wanted, before: undefined }]
      void this.#worker.take(changes, { heldUntil }).outcome.then(({ done, failed }) => {
        shown.settle()
        this.#options.refresh.after({ aspect, wanted, isRefused: failed.length > 0, targets: done })
      })
    }
  }

  /**
   * Sends the delayed deletions when the page is unloaded, because Undo is no longer possible. Deletions that do not
   * fit or get lost stay in the journal, and the next page sends them.
   */
  #sendDelayedOnUnload(signal: AbortSignal): void {
    const sendDelayed = ({ persisted }: PageTransitionEvent) => {
      if (persisted) return
      const delayed = this.#worker
        .entries()
        .filter(({ heldUntil, wanted }) => heldUntil > this.#options.clock.now() && wanted)
      const names = targetsOf(delayed.filter(({ aspect }) => aspect === 'deleted'))
      if (names.length > 0) {
        void this.#options.unloadClient.images.delete(names.slice(0, MAX_NAMES)).catch(() => {})
      }
      for (const { aspect, targets, wanted } of delayed) {
        if (aspect !== 'board_deleted') continue
        const includeImages = wanted === 'with images'
        for (const boardId of targets) {
          void this.#options.unloadClient.boardOperations
            .delete(boardId, { includeImages })
            .catch(() => {})
        }
      }
    }
    window.addEventListener('pagehide', sendDelayed, { signal })
  }
}

const groupOf = ({ aspect, wanted, heldUntil }: Entry): string =>
  JSON.stringify([aspect, wanted, heldUntil] satisfies [Aspect, Value, number])

/** Returns the state of the outbox. Re-renders when it changes. */
export const useOutboxState = (): OutboxState => useSource(useGallery().outbox)
