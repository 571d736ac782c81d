import type { InvalidateQueryFilters, Query } from '@tanstack/react-query'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import {
  notifyOtherTabs,
  onTabMessage,
  type TabMessage,
} from '#gallery/api/connection/broadcast.ts'
import { queryClient } from '#gallery/api/connection/connection.ts'
import { isWindowKey } from '#gallery/api/images/cache-edits.ts'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { type ImageView, isTrash } from '#gallery/api/images/image-windows.ts'
import { type ShownChange, showChange } from '#gallery/api/images/show-change.ts'
import { trashKeys } from '#gallery/api/trash/trash-cache.ts'
import { throttled } from './throttled.ts'

/** Several changes in a row are one reason to ask again. In milliseconds. */
const GATHER_MS = 200

/** How often a tab asks for counts and lists while a person is busy in another one, in milliseconds. */
const OTHER_TABS_MS = 3_000

/** Changes after which it asks for these at once, after a rest. */
const OTHER_TABS_BURST = 4

/** Of more images than that another tab is told only that there were some. */
const MAX_TOLD = 5_000

/** What the server has confirmed since it was last asked; or refused, and then nobody knows what it has. */
interface Change extends Omit<ShownChange, 'rule'> {
  readonly isRefused: boolean
}

let changes: Change[] = []
/** Changes of other tabs after which windows in sight are to be asked for, and after which all else is. */
let followedInSight: Change[] = []
let followed: Change[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Marks queries as stale and asks again for those that are shown, as `invalidateQueries` does. It also asks
 * again for a query whose answer is on its way: react-query takes that answer for fresh if it is the first
 * one, or if the query is not asked for again now, though the server may have read it before the change.
 */
export function askAgain(filters: InvalidateQueryFilters): void {
  const underWay = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const isKept = (query: Query) =>
    query.state.data === undefined || filters.refetchType === 'none' || !query.isActive()
  for (const query of underWay.filter(isKept)) void askAgainAfterAnswer(query, filters)
  void queryClient.invalidateQueries(filters)
}

async function askAgainAfterAnswer(
  { promise, queryKey }: Query,
  { refetchType }: InvalidateQueryFilters,
): Promise<void> {
  // A query that fails is asked for again by the part of the page that needs it.
  await promise?.catch(() => undefined)
  // A query that is loaded before the first render has no observer yet.
  const orAll = refetchType === 'none' ? 'none' : 'all'
  await queryClient.invalidateQueries({ queryKey, exact: true, refetchType: orAll })
}

/** Asks again for everything that the page shows, and for the rest when it is looked at. */
export function refreshAll(): void {
  askAgain({ queryKey: imageKeys.all() })
  askAgain({ queryKey: boardKeys.all() })
  askAgain({ queryKey: trashKeys.all() })
}

/**
 * Asks again for what is in sight, and for the rest when it is looked at: something came in without the
 * page. Records of single images are the same as before.
 */
export function refreshInSight(): void {
  const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active'
  askAgain({
    queryKey: imageKeys.all(),
    refetchType,
    predicate: ({ queryKey }) => (queryKey[1] as ImageView | 'record') !== 'record',
  })
  askAgain({ queryKey: boardKeys.all(), refetchType })
}

/** Asks again for what a change may have made untrue and the page could not work out itself. */
export function refreshAfter(change: Change): void {
  changes.push(change)
  const { isRefused, ...shown } = change
  const canBeShown = !isRefused && change.targets.length <= MAX_TOLD
  notifyOtherTabs(canBeShown ? { kind: 'change', change: shown } : { kind: 'something' })
  clearTimeout(timer)
  timer = setTimeout(() => {
    const done = changes
    changes = []
    askAfter(done)
  }, GATHER_MS)
}

/** At once, and while changes go on not more often than every few seconds. */
const soonEnough = throttled(refreshAll, OTHER_TABS_MS, OTHER_TABS_BURST)
const followInSight = throttled(() => {
  const done = followedInSight
  followedInSight = []
  askForWindows(done)
}, GATHER_MS)
const followSoon = throttled(
  () => {
    const done = followed
    followed = []
    askForRest(done)
  },
  OTHER_TABS_MS,
  OTHER_TABS_BURST,
)

onTabMessage(applyTabMessage)

/** Shows what another tab has changed, and asks for what it shows and cannot work out. */
export function applyTabMessage(news: TabMessage): void {
  // The server has the change already: it is shown here as it is there, and only the rest is asked for.
  if (news.kind === 'change') showChange(news.change).settle()
  // All tabs share one allowance, so a hidden tab asks when it is shown.
  if (document.visibilityState === 'hidden') markAllStale()
  else if (news.kind === 'something') soonEnough()
  else {
    const change = { ...news.change, isRefused: false }
    // One request for each window in sight: that is what a person sees. The counts may come later.
    followedInSight.push(change)
    followInSight()
    followed.push(change)
    followSoon()
  }
}

function markAllStale(): void {
  for (const queryKey of [imageKeys.all(), boardKeys.all(), trashKeys.all()]) {
    askAgain({ queryKey, refetchType: 'none' })
  }
}

function askAfter(done: readonly Change[]): void {
  if (done.some(({ isRefused }) => isRefused)) {
    refreshAll()
    return
  }
  askForWindows(done)
  askForRest(done)
}

/** Asks for the windows into which images have come. */
function askForWindows(done: readonly Change[]): void {
  askAgain({
    queryKey: imageKeys.all(),
    predicate: (query) => done.some((change) => isWindowToAsk(query, change)),
  })
}

/** Asks for all else that a change may have made untrue: lists, counts, and the places of starred images. */
function askForRest(done: readonly Change[]): void {
  // Windows that the page has mended itself are asked for when they are next looked at.
  askAgain({
    queryKey: imageKeys.all(),
    refetchType: 'none',
    predicate: (query) => done.some((change) => isTouched(viewOf(query), change)),
  })
  askAgain({
    queryKey: imageKeys.all(),
    predicate: (query) =>
      done.some((change) => isUnknown(viewOf(query), change) && !isWindowToAsk(query, change)),
  })
  const isOnlyStars = done.every(({ aspect }) => aspect === 'starred')
  if (isOnlyStars) return
  askAgain({ queryKey: boardKeys.all() })
  askAgain({ queryKey: trashKeys.all() })
}

/** True for a window into which the change brought images. A star needs no request: the page shows it itself. */
const isWindowToAsk = (query: Query, change: Change): boolean =>
  change.aspect !== 'starred' && isWindowKey(query.queryKey) && isUnknown(viewOf(query), change)

const viewOf = (query: Query): ImageView | undefined => query.queryKey[1] as ImageView | undefined

/** Whether a view may show something else after that change. */
function isTouched(view: ImageView | undefined, { aspect }: Change): boolean {
  if (aspect === 'starred') return view?.starredFirst ?? true
  if (aspect === 'trash_emptied') return view !== undefined && isTrash(view)
  return aspect !== 'board_name'
}

/** Whether only the server knows what a view shows after that change: where something comes in, and where. */
function isUnknown(view: ImageView | undefined, { aspect, wanted }: Change): boolean {
  switch (aspect) {
    case 'starred':
      return view?.starredFirst ?? true
    case 'board':
      return view?.boardId === wanted
    case 'trashed':
      // Images come to the trash, or back from it.
      return (view !== undefined && isTrash(view)) === (wanted !== false)
    case 'deleted':
    case 'board_name':
    case 'trash_emptied':
      return false
    case 'board_trashed':
    case 'board_deleted':
      return true
  }
}
