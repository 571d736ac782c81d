import { useMemo, useSyncExternalStore } from 'react'
import {
  afterStepBack,
  goToPreviousPlace,
  isOwnPlace,
  pushAddress,
  replaceAddress,
} from '#gallery/ui/keys/back.ts'
import { formatPlace, type Place, parsePlace } from './place.ts'
import { NO_FILTER } from './place-filter.ts'
import { DEFAULT_ORDER, hasOrder, type PlaceOrder, parseOrder, writeOrder } from './place-order.ts'

const MOVE_EVENT = 'tessera:moved'

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

/** Returns the current place with some changes. All boards share one order. Another board resets the filters. */
export function placeAfter(change: Partial<Place>): Place {
  const place = currentPlace()
  const isElsewhere = change.board !== undefined && change.board !== place.board
  return { ...place, ...(isElsewhere && NO_FILTER), ...change }
}

/** Removes the outcome of a share from the URL and returns it. Call it before the page is rendered. */
export function takeShareOutcome(): string | null {
  const { search } = window.location
  const outcome = new URLSearchParams(search).get('shared')
  if (outcome !== null) replaceAddress(formatPlace(parsePlace(search)))
  return outcome
}

/** Adds the stored order to a URL without one, so that Back and links preserve it. Call it before the first render. */
export function applyRememberedOrder(): void {
  const { search } = window.location
  const order = rememberedOrder()
  if (order === null || hasOrder(new URLSearchParams(search))) return
  replaceAddress(formatPlace({ ...parsePlace(search), ...order }))
}

/**
 * Stores an order for all views from the next visit on, unless the user has chosen one before.
 *
 * @param isNow - True applies it also to the open view, unless its URL has an order.
 */
export function suggestOrder(change: Partial<PlaceOrder>, isNow: boolean): void {
  if (rememberedOrder() !== null) return
  const namesOwn = hasOrder(new URLSearchParams(window.location.search))
  if (isNow && !namesOwn) goTo(change, { replace: true })
  else rememberOrder({ ...DEFAULT_ORDER, ...change })
}

/**
 * Navigates to another place, see {@link placeAfter}. A chosen order is stored for all boards.
 *
 * @param options.replace - Adds no history entry, for typing in the search box and paging in the lightbox.
 */
export function goTo(change: Partial<Place>, options: { replace?: boolean } = {}): void {
  afterStepBack(() => go(change, options))
}

function go(change: Partial<Place>, options: { replace?: boolean }): void {
  const place = placeAfter(change)
  if (Object.keys(DEFAULT_ORDER).some((part) => part in change)) rememberOrder(place)
  const address = formatPlace(place)
  if (address === `${window.location.pathname}${window.location.search}`) return
  if (options.replace) replaceAddress(address)
  else pushAddress(address)
  window.dispatchEvent(new Event(MOVE_EVENT))
}

/** Closes the viewer. If it was opened from the page, this goes back, so that Back does not open it again. */
export function closeImage(): void {
  if (isOwnPlace()) goToPreviousPlace()
  else goTo({ image: null }, { replace: true })
}

const KEY = 'tessera:order'

/** Returns the order that the user chose last; null if there is none. */
function rememberedOrder(): PlaceOrder | null {
  const stored = localStorage.getItem(KEY)
  return stored === null ? null : parseOrder(new URLSearchParams(stored))
}

function rememberOrder(order: PlaceOrder): void {
  const params = new URLSearchParams()
  writeOrder(params, order)
  try {
    localStorage.setItem(KEY, params.toString())
  } catch {
    // If storage is full or forbidden, only the order of the next visit is lost.
  }
}
