import { useMemo, useSyncExternalStore } from 'react'
import {
  afterStepBack,
  goToPreviousPlace,
  isOwnPlace,
  pushAddress,
  replaceAddress,
} from '#gallery/ui/keys/back.ts'
import { isUnknownPath } from './page-path.ts'
import { formatPlace, orderKeyOf, type Place, parsePlace } from './place.ts'
import { NO_FILTER } from './place-filter.ts'
import {
  areSameOrders,
  defaultOrderOf,
  hasOrder,
  isOrderKey,
  type PlaceOrder,
} from './place-order.ts'
import {
  chosenDefault,
  forgetOrders,
  hasRememberedOrders,
  orderOfBoard,
  rememberForAll,
  rememberOrder,
} from './remembered-orders.ts'
import { isRanked } from './typed-conditions.ts'

const MOVE_EVENT = 'tessera:moved'

const BEST_FIRST = { orderBy: 'relevance', orderDir: 'DESC', starredFirst: false } as const

const currentSearch = (): string => window.location.search

export const currentPlace = (): Place => parsePlace(currentSearch())

function subscribe(onMove: () => void): () => void {
  window.addEventListener('popstate', onMove)
  window.addEventListener(MOVE_EVENT, onMove)
  return () => {
    window.removeEventListener('popstate', onMove)
    window.removeEventListener(MOVE_EVENT, onMove)
  }
}

/** Returns the current place and re-renders when it changes. The object is stable while the URL does not change. */
export function usePlace(): Place {
  const search = useSyncExternalStore(subscribe, currentSearch)
  return useMemo(() => parsePlace(search), [search])
}

/** Returns true at an address that does not exist. */
export const useIsUnknownPath = (): boolean => useSyncExternalStore(subscribe, isUnknownPath)

/**
 * Returns the current place with some changes. Another board or saved search has its own order and no filters. A search
 * for likeness shows the best matches first, until it ends.
 */
export function placeAfter(change: Partial<Place>): Place {
  const place = currentPlace()
  // Another board and an empty search are no longer the saved search.
  const isLeft = change.board !== undefined || change.query === ''
  const next = {
    ...place,
    ...(isLeft && { search: null }),
    ...(change.board !== undefined && { page: null }),
    ...change,
  }
  const key = orderKeyOf(next)
  const isSameKey = key === orderKeyOf(place)
  const fallback = { ...(!isSameKey && NO_FILTER), ...orderOfBoard(key) }
  const isRankedNow = isRanked(next.query)
  if (isRankedNow && next.search === null && !(isSameKey && isRanked(place.query))) {
    return { ...next, ...(!isSameKey && fallback), ...BEST_FIRST, ...change }
  }
  const endsRanking = !isRankedNow && isRanked(place.query) && place.orderBy === 'relevance'
  return isSameKey && !endsRanking ? next : { ...next, ...fallback, ...change }
}

/** Removes the outcome of a share from the URL and returns it. Call it before the page is rendered. */
export function takeShareOutcome(): string | null {
  const { search } = window.location
  const outcome = new URLSearchParams(search).get('shared')
  if (outcome !== null) replaceAddress(formatPlace(parsePlace(search)))
  return outcome
}

/** Adds the order of the board to a URL without one, so that Back and links preserve it. Call it before the first render. */
export function applyRememberedOrder(): void {
  const { search } = window.location
  if (!hasRememberedOrders() || hasOrder(new URLSearchParams(search))) return
  const place = parsePlace(search)
  replaceAddress(formatPlace({ ...place, ...orderOfBoard(orderKeyOf(place)) }))
}

/**
 * Makes an order the default of all boards, unless the user has chosen one for any board before.
 *
 * @param isNow - True applies it also to the open view, unless its URL has an order.
 */
export function suggestOrder(change: Partial<PlaceOrder>, isNow: boolean): void {
  if (hasRememberedOrders()) return
  rememberForAll({ ...defaultOrderOf(currentPlace().board), ...change })
  const namesOwn = hasOrder(new URLSearchParams(window.location.search))
  if (isNow && !namesOwn) goTo(change, { replace: true })
}

/** Makes the order of the open board the default of all boards. */
export function makeOrderDefault(): void {
  rememberForAll(currentPlace())
  window.dispatchEvent(new Event(MOVE_EVENT))
}

/** Returns to the default order: of the open board, or of all boards if it has the chosen one already. */
export function resetOrder(): void {
  const key = orderKeyOf(currentPlace())
  if (hasDefaultOrder()) forgetOrders()
  goTo(chosenDefault() ?? defaultOrderOf(key))
  window.dispatchEvent(new Event(MOVE_EVENT))
}

/** Returns true if the open board has the order of boards without their own. */
function hasDefaultOrder(): boolean {
  const place = currentPlace()
  return areSameOrders(place, chosenDefault() ?? defaultOrderOf(orderKeyOf(place)))
}

/** Returns how the order of the open board relates to the default. */
export const useDefaultOrder = () => {
  const isDefault = useSyncExternalStore(subscribe, hasDefaultOrder)
  const isChosen = useSyncExternalStore(subscribe, hasChosenDefault)
  return { isDefault, canReset: !isDefault || isChosen }
}

const hasChosenDefault = (): boolean => chosenDefault() !== null

/**
 * Navigates to another place, see {@link placeAfter}. A chosen order is stored for its board.
 *
 * @param options.replace - Adds no history entry, for typing in the search box.
 */
export function goTo(change: Partial<Place>, options: { replace?: boolean } = {}): void {
  afterStepBack(() => go(change, options))
}

function go(change: Partial<Place>, options: { replace?: boolean }): void {
  const place = placeAfter(change)
  if (Object.keys(change).some(isOrderKey)) rememberOrder(orderKeyOf(place), place)
  const address = formatPlace(place)
  if (address === `${window.location.pathname}${window.location.search}`) return
  if (options.replace) replaceAddress(address)
  else pushAddress(address)
  window.dispatchEvent(new Event(MOVE_EVENT))
}

/** Shows the images of the place without its filters. */
export const clearFilter = (): void => goTo({ ...NO_FILTER, image: null })

/** Shows another image in the viewer. Does nothing if the viewer has been closed, also if the page is still going back. */
export function showImage(image: string): void {
  afterStepBack(() => {
    if (currentPlace().image !== null) go({ image }, { replace: true })
  })
}

/** Closes the viewer. If it was opened from the page, this goes back, so that Back does not open it again. */
export function closeImage(): void {
  if (isOwnPlace()) goToPreviousPlace()
  else goTo({ image: null }, { replace: true })
}
