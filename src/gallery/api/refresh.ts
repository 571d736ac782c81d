import type { InvalidateQueryFilters, Query } from '@tanstack/react-query'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import type { OtherTabs } from '#gallery/api/connection/other-tabs.ts'
import { DUPLICATES_KEY } from '#gallery/api/duplicates-key.ts'
import { isWindowKey } from '#gallery/api/images/cache-edits.ts'
import { MAX_COMPARED } from '#gallery/api/images/compare-request.ts'
import { facetCacheKeys, imageKeys, insightCacheKeys } from '#gallery/api/images/image-cache.ts'
import { type ImageView, isTrash } from '#gallery/api/images/image-windows.ts'
import type { ShownChange, ShownData } from '#gallery/api/images/show-change.ts'
import { starredCountKey } from '#gallery/api/images/starred-count.ts'
import { BOARD_ASPECTS, isTagAspect } from '#gallery/api/outbox/outbox-state.ts'
import { TAGS_KEY } from '#gallery/api/tags/tag-lists.ts'
import { trashKeys } from '#gallery/api/trash/trash-cache.ts'
import { type Clock, Timer, throttled } from './clock.ts'

/** Changes within this time share one refetch, in milliseconds. */
const GATHER_MS = 200

/** The average time between refetches after messages of other tabs, in milliseconds. */
const OTHERS_MS = 3_000

/** The number of such refetches that can run at once after a pause. */
const OTHERS_BURST = 4

/** The time between refetches of counted properties, for which the server looks at all images, in milliseconds. */
const FACETS_MS = 3_000

/** The same for insights, for which the server also reads prompts. */
const INSIGHTS_MS = 10_000

/** The queries that are refetched after every change, some time later. */
const COUNTED = [facetCacheKeys.all(), DUPLICATES_KEY]
const FOLLOWING = [...COUNTED, insightCacheKeys.all()]

/** A confirmed or refused change. */
interface Change extends Omit<ShownChange, 'rule'> {
  /** True if only the server knows the result: it has refused the change, or others changed the same images. */
  readonly isUnsure: boolean
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
  readonly #facetsSoon: () => void
  readonly #insightsSoon: () => void
  readonly #searchCountsSoon: () => void
  readonly #tagsSoon: () => void
  #changes: Change[] = []

  constructor(api: RefreshApi) {
    this.#api = api
    this.#timer = new Timer(api.clock)
    this.#searchCountsSoon = throttled(
      api.clock,
      () => this.askAgain({ queryKey: boardKeys.searchCounts() }),
      { gapMs: OTHERS_MS, burst: 1 },
    )
    this.#tagsSoon = throttled(api.clock, () => this.askAgain({ queryKey: TAGS_KEY }), {
      gapMs: OTHERS_MS,
      burst: 1,
    })
    this.#allSoon = throttled(api.clock, () => this.all(), {
      gapMs: OTHERS_MS,
      burst: OTHERS_BURST,
    })
    const refetchFacets = () => {
      for (const queryKey of COUNTED) this.askAgain({ queryKey })
    }
    this.#facetsSoon = throttled(api.clock, refetchFacets, { gapMs: FACETS_MS })
    const refetchInsights = () => this.askAgain({ queryKey: insightCacheKeys.all() })
    this.#insightsSoon = throttled(api.clock, refetchInsights, { gapMs: INSIGHTS_MS })
  }

  /**
   * Invalidates queries and refetches active ones, like `invalidateQueries`. It also refetches a query with an active
   * request after its answer. react-query considers that answer fresh if it is the first one or the query is not
   * refetched now, but the server may have read the data before the change. Counted properties and duplicates follow.
   */
  askAgain(filters: InvalidateQueryFilters): void {
    const active = this.#api.queryClient
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
    const mayBeOld = (query: Query) =>
      query.state.data === undefined || filters.refetchType === 'none' || !query.isActive()
    for (const query of active.filter(mayBeOld)) void this.#askAgainAfterAnswer(query, filters)
    void this.#api.queryClient.invalidateQueries(filters)
    if (FOLLOWING.some(([first]) => first === filters.queryKey?.[0])) return
    this.#facetsSoon()
    this.#insightsSoon()
  }

  /** Refetches all visible queries now, and the others when they become visible. With `none` all of them wait. */
  all(refetchType: 'active' | 'none' = 'active'): void {
    for (const queryKey of [imageKeys.all(), boardKeys.all(), trashKeys.all(), TAGS_KEY]) {
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
    this.#api.tabs.notify()
    this.#timer.restart(GATHER_MS, () => {
      const done = this.#changes
      this.#changes = []
      this.#askAfter(done)
    })
  }

  /** Refetches visible data soon, because other clients may have changed it. A hidden tab does so when it is seen. */
  allSoon(): void {
    // All tabs share the rate limit.
    if (document.visibilityState === 'hidden') this.all('none')
    else this.#allSoon()
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
    if (done.some(({ isUnsure }) => isUnsure)) this.all()
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
    if (done.some(({ aspect }) => isTagAspect(aspect))) this.#tagsSoon()
    // Only windows show a change at once. The comparison also shows images that no window has.
    const marked = new Set(
      done.flatMap(({ aspect, targets }) => (isMark(aspect) ? targets.slice(0, MAX_COMPARED) : [])),
    )
    this.askAgain({
      queryKey: imageKeys.all(),
      predicate: ({ queryKey }) => queryKey[1] === 'record' && marked.has(String(queryKey[2])),
    })
    if (done.every(({ aspect }) => isMark(aspect))) {
      this.#searchCountsSoon()
      return
    }
    this.askAgain({ queryKey: boardKeys.all() })
    this.askAgain({ queryKey: trashKeys.all() })
    this.askAgain({ queryKey: starredCountKey })
  }
}

/** Returns true for a change that leaves images where they are: a star, a rating or a tag. */
const isMark = (aspect: Change['aspect']): boolean =>
  aspect === 'starred' || aspect === 'rating' || isTagAspect(aspect)

/** Returns true for a window to which the change added images. A star, a rating or a tag needs no request. */
const isWindowToAsk = (query: Query, change: Change): boolean =>
  !isMark(change.aspect) && isWindowKey(query.queryKey) && isUnknown(viewOf(query), change)

const viewOf = (query: Query): ImageView | undefined => query.queryKey[1] as ImageView | undefined

/** Returns true if the change may affect a view. */
function isTouched(view: ImageView | undefined, { aspect }: Change): boolean {
  if (isMark(aspect)) return dependsOn(view, aspect)
  if (aspect === 'trash_emptied') return view !== undefined && isTrash(view)
  return !isOfBoardOnly(aspect)
}

/** Returns true for a view whose images or their order depend on stars, ratings or tags. */
function dependsOn(view: ImageView | undefined, aspect: Change['aspect']): boolean {
  if (aspect === 'starred') return dependsOnStars(view)
  if (view === undefined) return true
  if (aspect === 'rating') return view.orderBy === 'rating' || /\brating\b/i.test(view.query)
  return /\b(?:has:)?tag\b/i.test(view.query)
}

/** Returns true for a view with starred images first, or only starred ones. */
const dependsOnStars = (view: ImageView | undefined): boolean =>
  view === undefined ||
  view.starredFirst ||
  view.isStarred !== undefined ||
  /\bis:starred/i.test(view.query)

/** Returns true for a change that is visible only on the board itself. */
const isOfBoardOnly = (aspect: Change['aspect']): boolean =>
  BOARD_ASPECTS.some((one) => one === aspect)

/** Returns true if only the server knows the content of a view after the change, because images were added to it. */
function isUnknown(view: ImageView | undefined, { aspect, wanted }: Change): boolean {
  if (isTagAspect(aspect)) return dependsOn(view, aspect)
  switch (aspect) {
    case 'starred':
    case 'rating':
      return dependsOn(view, aspect)
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
