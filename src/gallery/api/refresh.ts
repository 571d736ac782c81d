import type { InvalidateQueryFilters, Query } from '@tanstack/react-query'
import type { LibraryChanges } from '#client/index.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import type { OtherTabs, TabMessage } from '#gallery/api/connection/other-tabs.ts'
import { isWindowKey } from '#gallery/api/images/cache-edits.ts'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { type ImageView, type ImageWindow, isTrash } from '#gallery/api/images/image-windows.ts'
import { refreshMetadata } from '#gallery/api/images/metadata-queries.ts'
import { type ShownChange, type ShownData, showChange } from '#gallery/api/images/show-change.ts'
import { starredCountKey } from '#gallery/api/images/starred-count.ts'
import { BOARD_ASPECTS } from '#gallery/api/outbox/outbox-state.ts'
import { trashKeys } from '#gallery/api/trash/trash-cache.ts'
import { type Clock, gathered, Timer, throttled } from './clock.ts'

/** Changes within this time share one refetch, in milliseconds. */
const GATHER_MS = 200

/** The minimum time between refetches of counts and lists after changes in other tabs, in milliseconds. */
const OTHER_TABS_MS = 3_000

/** The number of such refetches that can run at once after a pause. */
const OTHER_TABS_BURST = 4

/** The maximum number of images in a message to other tabs. Larger changes are sent without details. */
const MAX_SENT_TARGETS = 5_000

/** A confirmed or refused change. After a refusal the state of the server is unknown. */
interface Change extends Omit<ShownChange, 'rule'> {
  readonly isRefused: boolean
}

interface RefreshApi extends ShownData {
  readonly clock: Clock
  readonly tabs: Pick<OtherTabs, 'notify'>
}

/** Refetches what a change affects and the page cannot compute itself. */
export class Refresh {
  readonly #api: RefreshApi
  readonly #timer: Timer
  readonly #allSoon: () => void
  readonly #askForWindowsSoon: (change: Change) => void
  readonly #askForRestSoon: (change: Change) => void
  #changes: Change[] = []

  constructor(api: RefreshApi) {
    this.#api = api
    this.#timer = new Timer(api.clock)
    const slowly = { gapMs: OTHER_TABS_MS, burst: OTHER_TABS_BURST }
    this.#allSoon = throttled(api.clock, () => this.all(), slowly)
    this.#askForWindowsSoon = gathered(api.clock, (changes) => this.#askForWindows(changes), {
      gapMs: GATHER_MS,
    })
    this.#askForRestSoon = gathered(api.clock, (changes) => this.#askForRest(changes), slowly)
  }

  /**
   * Invalidates queries and refetches active ones, like `invalidateQueries`. It also refetches a query with an active
   * request after its answer. react-query considers that answer fresh if it is the first one or the query is not
   * refetched now, but the server may have read the data before the change.
   */
  askAgain(filters: InvalidateQueryFilters): void {
    const active = this.#api.queryClient
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
    const mayBeOld = (query: Query) =>
      query.state.data === undefined || filters.refetchType === 'none' || !query.isActive()
    for (const query of active.filter(mayBeOld)) void this.#askAgainAfterAnswer(query, filters)
    void this.#api.queryClient.invalidateQueries(filters)
  }

  /** Refetches all visible queries now, and the others when they become visible. With `none` all of them wait. */
  all(refetchType: 'active' | 'none' = 'active'): void {
    for (const queryKey of [imageKeys.all(), boardKeys.all(), trashKeys.all()]) {
      this.askAgain({ queryKey, refetchType })
    }
  }

  /**
   * Refetches the visible views and counts after images were added, and the others when they become visible. Single
   * image records are unchanged. A hidden tab refetches nothing until it becomes visible.
   */
  inSight(): void {
    const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active'
    this.askAgain({
      queryKey: imageKeys.all(),
      refetchType,
      predicate: ({ queryKey }) => (queryKey[1] as ImageView | 'record') !== 'record',
    })
    this.askAgain({ queryKey: boardKeys.all(), refetchType })
  }

  /** Refetches the queries whose data a change affects and the page cannot compute itself. Notifies other tabs. */
  after(change: Change): void {
    this.#changes.push(change)
    const { isRefused, ...shown } = change
    const canBeShown = !isRefused && change.targets.length <= MAX_SENT_TARGETS
    this.#api.tabs.notify(canBeShown ? { kind: 'change', change: shown } : { kind: 'something' })
    this.#timer.restart(GATHER_MS, () => {
      const done = this.#changes
      this.#changes = []
      this.#askAfter(done)
    })
  }

  /** Applies a change of another tab to the cache, and refetches the queries that the page cannot compute itself. */
  applyTabMessage(message: Exclude<TabMessage, { kind: 'journal' }>): void {
    // The server has confirmed the change, so the optimistic update is settled at once.
    if (message.kind === 'change') showChange(this.#api, message.change).settle()
    // All tabs share the rate limit, so a hidden tab refetches only when it becomes visible.
    if (document.visibilityState === 'hidden') this.all('none')
    else if (message.kind === 'something') this.#allSoon()
    else {
      const change = { ...message.change, isRefused: false }
      // Refetch visible windows first: one request each. Counts and lists may follow later.
      this.#askForWindowsSoon(change)
      this.#askForRestSoon(change)
    }
  }

  /** Refetches what changes of others affect: visible queries now, the others when they become visible. */
  afterOthers(changes: LibraryChanges): void {
    if (changes.is_everything_unlisted) {
      this.all()
      return
    }
    const { images, boards, unlisted_boards } = changes
    const names = new Set([...images.created, ...images.updated, ...images.destroyed])
    const changedBoards = [...boards.created, ...boards.updated, ...boards.destroyed]
    const boardIds = new Set([...changedBoards, ...unlisted_boards])
    if (names.size + boardIds.size === 0) return
    this.askAgain({
      queryKey: imageKeys.all(),
      predicate: ({ queryKey, state }) => {
        const about = queryKey[1] as ImageView | 'record' | 'size'
        // The size of named images never changes.
        if (about === 'size') return false
        if (about === 'record') return names.has(String(queryKey[2]))
        if (about.boardId === null || boardIds.has(about.boardId)) return true
        // A change of a record alone, such as by reading its file again, names no board.
        return isWindowKey(queryKey) && hasAny(state.data as ImageWindow | undefined, names)
      },
    })
    this.askAgain({ queryKey: boardKeys.all() })
    this.askAgain({ queryKey: trashKeys.all() })
    void refreshMetadata(this.#api.queryClient, new Set(images.updated))
  }

  async #askAgainAfterAnswer(
    { promise, queryKey }: Query,
    { refetchType }: InvalidateQueryFilters,
  ): Promise<void> {
    // The component that needs a failed query retries it.
    await promise?.catch(() => undefined)
    // A query that is preloaded before the first render has no observer yet.
    const orAll = refetchType === 'none' ? 'none' : 'all'
    await this.#api.queryClient.invalidateQueries({ queryKey, exact: true, refetchType: orAll })
  }

  #askAfter(done: readonly Change[]): void {
    if (done.some(({ isRefused }) => isRefused)) this.all()
    else {
      this.#askForWindows(done)
      this.#askForRest(done)
    }
  }

  /** Refetches the windows to which images were added. */
  #askForWindows(done: readonly Change[]): void {
    this.askAgain({
      queryKey: imageKeys.all(),
      predicate: (query) => done.some((change) => isWindowToAsk(query, change)),
    })
  }

  /** Refetches the other affected queries: lists, counts, and views with starred images first. */
  #askForRest(done: readonly Change[]): void {
    // Windows that the page has updated itself are refetched when they become visible again.
    this.askAgain({
      queryKey: imageKeys.all(),
      refetchType: 'none',
      predicate: (query) => done.some((change) => isTouched(viewOf(query), change)),
    })
    this.askAgain({
      queryKey: imageKeys.all(),
      predicate: (query) =>
        done.some((change) => isUnknown(viewOf(query), change) && !isWindowToAsk(query, change)),
    })
    if (done.every(({ aspect }) => aspect === 'starred')) return
    this.askAgain({ queryKey: boardKeys.all() })
    this.askAgain({ queryKey: trashKeys.all() })
    this.askAgain({ queryKey: starredCountKey })
  }
}

const hasAny = (window: ImageWindow | undefined, names: ReadonlySet<string>): boolean =>
  window?.items.some((record) => record !== undefined && names.has(record.image_name)) ?? false

/** Returns true for a window to which the change added images. A star needs no request. */
const isWindowToAsk = (query: Query, change: Change): boolean =>
  change.aspect !== 'starred' && isWindowKey(query.queryKey) && isUnknown(viewOf(query), change)

const viewOf = (query: Query): ImageView | undefined => query.queryKey[1] as ImageView | undefined

/** Returns true if the change may affect a view. */
function isTouched(view: ImageView | undefined, { aspect }: Change): boolean {
  if (aspect === 'starred') return dependsOnStars(view)
  if (aspect === 'trash_emptied') return view !== undefined && isTrash(view)
  return !isOfBoardOnly(aspect)
}

/** Returns true for a view with starred images first, or only starred ones. */
const dependsOnStars = (view: ImageView | undefined): boolean =>
  view === undefined || view.starredFirst || view.isStarred !== undefined

/** Returns true for a change that is visible only on the board itself. */
const isOfBoardOnly = (aspect: Change['aspect']): boolean =>
  BOARD_ASPECTS.some((one) => one === aspect)

/** Returns true if only the server knows the content of a view after the change, because images were added to it. */
function isUnknown(view: ImageView | undefined, { aspect, wanted }: Change): boolean {
  switch (aspect) {
    case 'starred':
      return dependsOnStars(view)
    case 'board':
      return view?.boardId === wanted
    case 'trashed':
      // Images move to the trash, or back from it.
      return (view !== undefined && isTrash(view)) === (wanted === true)
    case 'deleted':
    case 'board_name':
    case 'board_archived':
    case 'board_visibility':
    case 'board_cover':
    case 'board_pinned':
    case 'board_description':
    case 'board_position':
    case 'trash_emptied':
      return false
    case 'board_trashed':
    case 'board_deleted':
      return true
  }
}
