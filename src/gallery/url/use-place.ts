import { useSyncExternalStore } from 'react'
import {
  afterStepBack,
  goToPreviousPlace,
  isOwnPlace,
  pushAddress,
  replaceAddress,
} from '#gallery/ui/keys/back.ts'
import { formatPlace, type Place, parsePlace } from './place.ts'
import {
  DEFAULT_ORDER,
  hasOrder,
  type PlaceOrder,
  parseOrder,
  writeOrder,
} from './place-order.ts'

const MOVE_EVENT = 'tessera:moved'

let parsed: { search: string; place: Place } | null = null

/** The place that the address names now. The same object for as long as the address stays the same. */
export function currentPlace(): Place {
  const { search } = window.location
  if (parsed?.search !== search) parsed = { search, place: parsePlace(search) }
  return parsed.place
}

function subscribe(onMove: () => void): () => void {
  window.addEventListener('popstate', onMove)
  window.addEventListener(MOVE_EVENT, onMove)
  return () => {
    window.removeEventListener('popstate', onMove)
    window.removeEventListener(MOVE_EVENT, onMove)
  }
}

/** Where the person is; re-renders when they move. */
export const usePlace = (): Place => useSyncExternalStore(subscribe, currentPlace)

/**
 * The place to which a change leads. What is not named stays as it is, so all boards have the same order.
 * Another board is shown with all kinds of images.
 */
export function placeAfter(change: Partial<Place>): Place {
  const place = currentPlace()
  const isElsewhere = change.board !== undefined && change.board !== place.board
  return { ...place, ...(isElsewhere && { categories: [] }), ...change }
}

/** Removes the outcome of a share from the address, and returns it. To be called before the page is drawn. */
export function takeShareOutcome(): string | null {
  const { search } = window.location
  const outcome = new URLSearchParams(search).get('shared')
  if (outcome !== null) replaceAddress(formatPlace(parsePlace(search)))
  return outcome
}

/**
 * Applies the order that was chosen last to an address that names none. To be called before the page is
 * drawn. The order becomes part of the address, so that Back and links keep it.
 */
export function applyRememberedOrder(): void {
  const { search } = window.location
  const order = rememberedOrder()
  if (order === null || hasOrder(new URLSearchParams(search))) return
  replaceAddress(formatPlace({ ...parsePlace(search), ...order }))
}

/**
 * Makes an order the one of all views from the next visit on, unless the person has chosen one before.
 *
 * @param isNow - Applies it to the open view too, unless its address names an order.
 */
export function suggestOrder(change: Partial<PlaceOrder>, isNow: boolean): void {
  if (rememberedOrder() !== null) return
  const namesOwn = hasOrder(new URLSearchParams(window.location.search))
  if (isNow && !namesOwn) goTo(change, { replace: true })
  else rememberOrder({ ...DEFAULT_ORDER, ...change })
}

/**
 * Moves to another place: {@link placeAfter}. A chosen order is remembered for all boards.
 *
 * @param options.replace - No new step for the Back button: for typing in the search box and paging in the lightbox.
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

/**
 * Closes the viewer. If it was opened from the page this is a step back, so that Back does not open it again.
 * If a link led to it, there is nothing to go back to.
 */
export function closeImage(): void {
  if (isOwnPlace()) goToPreviousPlace()
  else goTo({ image: null }, { replace: true })
}

const KEY = 'tessera:order'

/** The order that the person chose last, for every view; `null` if they never chose one. */
function rememberedOrder(): PlaceOrder | null {
  const stored = localStorage.getItem(KEY)
  return stored === null ? null : parseOrder(new URLSearchParams(stored))
}

/** Stores the chosen order, in the words of an address. */
function rememberOrder(order: PlaceOrder): void {
  const params = new URLSearchParams()
  writeOrder(params, order)
  try {
    localStorage.setItem(KEY, params.toString())
  } catch {
    // A full or forbidden store costs the order on the next visit, and nothing else.
  }
}
