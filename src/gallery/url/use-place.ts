import { useSyncExternalStore } from 'react'
import {
  afterStepBack,
  goToPreviousPlace,
  isOwnPlace,
  pushAddress,
  replaceAddress,
} from '#gallery/ui/back.ts'
import { formatPlace, type Place, parsePlace } from './place.ts'
import { DEFAULT_ORDER } from './place-order.ts'
import { rememberedOrder, rememberOrder } from './remembered-order.ts'

const MOVED = 'tessera:moved'

let parsedSearch = window.location.search
let parsedPlace = parsePlace(parsedSearch)

/** The place that the address names now. The same object for as long as the address stays the same. */
export function currentPlace(): Place {
  if (window.location.search !== parsedSearch) {
    parsedSearch = window.location.search
    parsedPlace = parsePlace(parsedSearch)
  }
  return parsedPlace
}

function subscribe(onMove: () => void): () => void {
  window.addEventListener('popstate', onMove)
  window.addEventListener(MOVED, onMove)
  return () => {
    window.removeEventListener('popstate', onMove)
    window.removeEventListener(MOVED, onMove)
  }
}

/** Where the person is; re-renders when they move. */
export const usePlace = (): Place => useSyncExternalStore(subscribe, currentPlace)

/**
 * The place to which a change leads. What is not named stays as it is; another board is shown in its own
 * order and with all kinds of images.
 */
export function placeAfter(change: Partial<Place>): Place {
  const place = currentPlace()
  const isElsewhere = change.board !== undefined && change.board !== place.board
  const own = isElsewhere ? { categories: [], ...rememberedOrder(change.board ?? '') } : {}
  return { ...place, ...own, ...change }
}

/**
 * Moves to another place: {@link placeAfter}. An order that is chosen is remembered for its board.
 *
 * @param options.replace - No new step for the Back button: for typing in the search box and paging in the lightbox.
 */
export function goTo(change: Partial<Place>, options: { replace?: boolean } = {}): void {
  afterStepBack(() => go(change, options))
}

function go(change: Partial<Place>, options: { replace?: boolean }): void {
  const place = placeAfter(change)
  if (Object.keys(DEFAULT_ORDER).some((part) => part in change)) rememberOrder(place.board, place)
  const address = formatPlace(place)
  if (address === `${window.location.pathname}${window.location.search}`) return
  if (options.replace) replaceAddress(address)
  else pushAddress(address)
  window.dispatchEvent(new Event(MOVED))
}

/**
 * Closes the viewer. If it was opened from the page this is a step back, so that Back does not open it again.
 * If a link led to it, there is nothing to go back to.
 */
export function closeImage(): void {
  if (isOwnPlace()) goToPreviousPlace()
  else goTo({ image: null }, { replace: true })
}
