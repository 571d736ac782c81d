import { create } from 'zustand'
import type { EventStreamState } from '#client/events/event-stream.ts'
import type { EventData, EventName, ServerEvent } from '#contract/events.ts'
import { gallery } from './connection.ts'
import { electLeaderTab } from './leader-tab.ts'

/** Messages between tabs. `stepped-back`: a second leader has closed its socket. */
type Message =
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'state'; readonly state: EventStreamState }
  | { readonly kind: 'ask' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'stepped-back' }

/** The broadcast channel of server events: the leader tab has the only socket and forwards its events. */
const CHANNEL = 'tessera:events'

/** The name of the leader election. Its messages use a separate channel. */
const ELECTION = 'tessera:events-leader'

type Listener = (event: ServerEvent) => void

const eventListeners = new Set<Listener>()
const openListeners = new Set<(isAgain: boolean) => void>()
const lossListeners = new Set<() => void>()
const useLine = create<{ state: EventStreamState; hasBeenOpen: boolean }>()(() => ({
  state: { phase: 'closed' },
  hasBeenOpen: false,
}))
let retry = () => {}

/** Returns the state of the event stream, the same in all tabs. */
export const useEventStream = (): EventStreamState => useLine(({ state }) => state)

/** Returns true if the event stream was ever open. A server without events never opens it, and that is not an error. */
export const useHasHadEventStream = (): boolean => useLine(({ hasBeenOpen }) => hasBeenOpen)

/** Reconnects at once instead of waiting for the backoff. */
export const reconnectEvents = (): void => retry()

/**
 * Subscribes to events with a name, whichever tab has the socket.
 *
 * @returns A function that unsubscribes.
 */
export function onServerEvent<Name extends EventName>(
  name: Name,
  listener: (data: EventData<Name>) => void,
): () => void {
  const own: Listener = ({ event, data }) => {
    if (event === name) listener(data as EventData<Name>)
  }
  eventListeners.add(own)
  return () => void eventListeners.delete(own)
}

/**
 * Subscribes to connects and reconnects of the event stream. The server does not repeat missed events, so listeners
 * must refetch their data.
 *
 * @returns A function that unsubscribes.
 */
export function onEventsConnected(listener: (isAgain: boolean) => void): () => void {
  openListeners.add(listener)
  return () => void openListeners.delete(listener)
}

/**
 * Subscribes to losses of an open event stream.
 *
 * @returns A function that unsubscribes.
 */
export function onEventsLost(listener: () => void): () => void {
  lossListeners.add(listener)
  return () => void lossListeners.delete(listener)
}

/** Starts to receive server events, from the socket of this tab or through the leader tab. */
export function watchServerEvents(): void {
  const channel = new BroadcastChannel(CHANNEL)
  const say = (message: Message) => channel.postMessage(message)
  let isLeading = false
  let hasRivalLeft = false

  // The server keeps only the newest socket of a browser, which may be that of the second leader. Reconnect after it.
  const takeBack = () => {
    if (!hasRivalLeft || gallery.events.getState().phase !== 'replaced') return
    hasRivalLeft = false
    gallery.events.retryNow()
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      if (isLeading) say({ kind: 'state', state: gallery.events.getState() })
    } else if (data.kind === 'retry') {
      if (isLeading) gallery.events.retryNow()
    } else if (data.kind === 'stepped-back') {
      hasRivalLeft = isLeading
      takeBack()
      if (isLeading) say({ kind: 'state', state: gallery.events.getState() })
    } else if (!isLeading) {
      if (data.kind === 'event') tell(data.event)
      else changeLine(data.state)
    }
  }
  retry = () => {
    if (isLeading) gallery.events.retryNow()
    else say({ kind: 'retry' })
  }
  electLeaderTab(ELECTION, () => {
    isLeading = true
    hasRivalLeft = false
    const stopStates = gallery.events.onState((state) => {
      changeLine(state)
      say({ kind: 'state', state })
      takeBack()
    })
    const stopEvents = gallery.events.listen((event) => {
      tell(event)
      say({ kind: 'event', event })
    })
    return () => {
      isLeading = false
      stopEvents()
      stopStates()
      say({ kind: 'stepped-back' })
    }
  })
  say({ kind: 'ask' })
  const comeBack = () => document.visibilityState === 'visible' && retry()
  window.addEventListener('online', comeBack)
  document.addEventListener('visibilitychange', comeBack)
}

function tell(event: ServerEvent): void {
  for (const listener of [...eventListeners]) listener(event)
}

function changeLine(state: EventStreamState): void {
  const { state: before, hasBeenOpen } = useLine.getState()
  const isOpen = state.phase === 'open'
  useLine.setState({ state, hasBeenOpen: hasBeenOpen || isOpen })
  if (isOpen && before.phase !== 'open') {
    for (const listener of [...openListeners]) listener(hasBeenOpen)
  }
  if (state.phase === 'lost' && before.phase === 'open') {
    for (const listener of [...lossListeners]) listener()
  }
}
