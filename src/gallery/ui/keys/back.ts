import { useEffect, useEffectEvent } from 'react'
import { createStore } from 'zustand'

/*
 * Back closes what is open. History is the one mechanism that every browser has: CloseWatcher is missing in
 * Safari, and does not see the Back button of desktop browsers.
 *
 * Each open part adds a history entry with the same address: a layer. Closing a part by hand leaves its layer,
 * because removing it takes an asynchronous step back, which would undo a move that follows at once. An unused
 * layer is taken over by the next part that opens or by the next move (`goTo`), and Back passes over it.
 */

/** The content of `history.state`. */
interface HistoryState {
  /** True if the page created this place itself, so that the entry before it belongs to the page. */
  isOwnStep?: boolean
  /** ID of a place in the history. All its layers have the same ID. */
  entry?: string
  /** Number of layers between the place and this entry; absent for none. */
  layers?: number
}

/** A step back, which the browser makes asynchronously. */
interface PendingStep {
  readonly timer: ReturnType<typeof setTimeout>
  /** Moves that wait for the step, because it would undo them. */
  readonly moves: readonly (() => void)[]
}

interface PageHistory {
  /** The current entry. When `popstate` reports another one, `history.state` has already changed. */
  readonly current: HistoryState
  readonly address: string
  /** Functions that close the open parts, in the order of opening. */
  readonly openParts: readonly (() => void)[]
  readonly pendingStep: PendingStep | null
}

const pageHistory = createStore<PageHistory>(() => ({
  current: {},
  address: '',
  openParts: [],
  pendingStep: null,
}))

/** Timeout of a step back, in milliseconds: browsers do not report a step that they refuse. */
const MAX_STEP_MS = 1_000

const addressNow = (): string => `${window.location.pathname}${window.location.search}`

const remember = (current: HistoryState): void =>
  pageHistory.setState({ current, address: addressNow() })

const layersNow = (): number => pageHistory.getState().current.layers ?? 0

/** Returns the number of steps back to the entry before the current place. */
const stepsToPreviousPlace = (): number => layersNow() + 1

/** Goes back to the entry before the current place. Does nothing while a step back is pending. */
export function goToPreviousPlace(): void {
  if (pageHistory.getState().pendingStep !== null) return
  const timer = setTimeout(endStepBack, MAX_STEP_MS)
  pageHistory.setState({ pendingStep: { timer, moves: [] } })
  window.history.go(-stepsToPreviousPlace())
}

/** Calls back at once, or after the pending step back. */
export function afterStepBack(move: () => void): void {
  const { pendingStep } = pageHistory.getState()
  if (pendingStep === null) move()
  else {
    const moves = [...pendingStep.moves, move]
    pageHistory.setState({ pendingStep: { ...pendingStep, moves } })
  }
}

/** Runs the waiting moves after a step back has been handled. A move may start another step back. */
function endStepBack(): void {
  const { pendingStep } = pageHistory.getState()
  if (pendingStep === null) return
  clearTimeout(pendingStep.timer)
  pageHistory.setState({ pendingStep: null })
  for (const move of pendingStep.moves) queueMicrotask(() => afterStepBack(move))
}

/** Returns true if the page created the current place itself. */
export const isOwnPlace = (): boolean => pageHistory.getState().current.isOwnStep === true

/** Returns a unique ID. `crypto.randomUUID` is missing on plain HTTP. */
const newEntry = (): string => `${Date.now()}-${Math.random()}`

/** Adds a URL to the history. It replaces an unused layer, to which Back would lead without effect. */
export function pushAddress(address: string): void {
  const state = { isOwnStep: true, entry: newEntry() }
  if (layersNow() > 0) window.history.replaceState(state, '', address)
  else window.history.pushState(state, '', address)
  remember(state)
}

/** Changes the URL of the current place. */
export function replaceAddress(address: string): void {
  const { current } = pageHistory.getState()
  window.history.replaceState(current, '', address)
  remember(current)
}

/** Handles Back and Forward. Call it once, before the page reads the URL. */
export function watchBack(): () => void {
  const state: HistoryState = window.history.state ?? {}
  remember({ ...state, entry: state.entry ?? newEntry() })
  replaceAddress(addressNow())
  const handlePopState = (event: PopStateEvent) => {
    endStepBack()
    const { current: before, address, openParts } = pageHistory.getState()
    const state: HistoryState = event.state ?? {}
    remember(state)
    const isSamePlace = state.entry === before.entry
    if (!isSamePlace) return closeDownTo(0)
    const layers = state.layers ?? 0
    const layersBefore = before.layers ?? 0
    if (layers >= layersBefore) return
    // The place may have changed its URL since the layer was added, as paging in the viewer does.
    replaceAddress(address)
    if (openParts.length > 0) closeDownTo(Math.min(layers, openParts.length - 1))
    else if (isOwnPlace()) goToPreviousPlace()
    else window.history.go(-stepsToPreviousPlace()) // leaves the page if another page precedes it
  }
  window.addEventListener('popstate', handlePopState)
  return () => window.removeEventListener('popstate', handlePopState)
}

/** Closes the parts that opened last, until `count` parts are open. */
function closeDownTo(count: number): void {
  const { openParts } = pageHistory.getState()
  pageHistory.setState({ openParts: openParts.slice(0, count) })
  for (const close of openParts.slice(count).reverse()) close()
}

/** Registers an open part that Back closes next. Returns a function that removes it. */
function openPart(close: () => void): () => void {
  const { current, openParts } = pageHistory.getState()
  pageHistory.setState({ openParts: [...openParts, close] })
  const layers = layersNow()
  if (layers <= openParts.length) {
    const state = { ...current, layers: layers + 1 }
    window.history.pushState(state, '', addressNow())
    remember(state)
  }
  return () =>
    pageHistory.setState(({ openParts }) => ({
      openParts: openParts.filter((other) => other !== close),
    }))
}

/** Lets Back close a part of the page while it is open. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => (isOpen ? openPart(() => close()) : undefined), [isOpen])
}
