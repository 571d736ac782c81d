import { create } from 'zustand'
import type { EventStreamState } from '#client/events/event-stream.ts'
import type { EventData, EventName, ServerEvent } from '#contract/events.ts'
import { gallery } from './connection.ts'
import { electLeaderTab } from './leader-tab.ts'

/** Messages between the tabs. `stepped-back`: a tab that led beside another one has closed its socket. */
type Message =
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'state'; readonly state: EventStreamState }
  | { readonly kind: 'ask' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'stepped-back' }

/** Server events come to every tab through this channel: one socket serves them all (design 4). */
const CHANNEL = 'tessera:events'

/** The name under which the tabs choose the one that holds the socket. Its messages have a channel of their own. */
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

/** How the line for events stands; the same in every tab. */
export const useEventStream = (): EventStreamState => useLine(({ state }) => state)

/** Whether there ever was a line: a server that has no events never had one, and nothing is amiss. */
export const useHasHadEventStream = (): boolean => useLine(({ hasBeenOpen }) => hasBeenOpen)

/** Connects at once rather than when it would: a person asks for it, or the server answers again. */
export const reconnectEvents = (): void => retry()

/** Calls back with each event of that name, in whichever tab it arrived. @returns What ends it. */
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
 * Calls back when the line is there, for the first time or again: what happened without it is not told
 * afterwards and has to be asked for.
 *
 * @returns What ends it.
 */
export function onEventsConnected(listener: (isAgain: boolean) => void): () => void {
  openListeners.add(listener)
  return () => void openListeners.delete(listener)
}

/** Calls back when a line that was there is lost. @returns What ends it. */
export function onEventsLost(listener: () => void): () => void {
  lossListeners.add(listener)
  return () => void lossListeners.delete(listener)
}

/** Listens to the server's events, by a socket of this tab's or through the tab that has one. */
export function watchServerEvents(): void {
  const channel = new BroadcastChannel(CHANNEL)
  const say = (message: Message) => channel.postMessage(message)
  let isLeading = false
  let hasRivalLeft = false

  // The server keeps only the newest socket of a browser: that of the rival, if it connected later.
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
