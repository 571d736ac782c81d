import { createStore } from 'zustand'
import type { EventStreamState } from '#client/events/event-stream.ts'
import type { TesseraClient } from '#client/index.ts'
import type { EventData, EventName, ServerEvent } from '#contract/events.ts'
import type { Clock } from '#gallery/api/clock.ts'
import { Listeners, useSource } from '#gallery/api/listeners.ts'
import { usePart } from '#gallery/api/parts.ts'
import { electLeaderTab } from './leader-tab.ts'
import type { OpenChannel } from './other-tabs.ts'

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

interface EventsApi {
  readonly client: Pick<TesseraClient, 'events'>
  readonly clock: Clock
  readonly channel: OpenChannel
}

/** The events of the server, whichever tab has the socket. */
export class ServerEvents {
  readonly #api: EventsApi
  readonly #events = new Listeners<ServerEvent>()
  readonly #connects = new Listeners<boolean>()
  readonly #losses = new Listeners()
  #retry = () => {}

  readonly stream = createStore<{ state: EventStreamState; hasBeenOpen: boolean }>(() => ({
    state: { phase: 'closed' },
    hasBeenOpen: false,
  }))

  /**
   * Subscribes to connects and reconnects of the event stream. The listener is called with true for a reconnect. The
   * server does not repeat missed events, so listeners must refetch their data.
   */
  readonly onConnected = this.#connects.add

  readonly onLost = this.#losses.add

  constructor(api: EventsApi) {
    this.#api = api
  }

  /** Subscribes to events with a name. Returns a function that unsubscribes. */
  on<Name extends EventName>(name: Name, listener: (data: EventData<Name>) => void): () => void {
    return this.#events.add(({ event, data }) => {
      if (event === name) listener(data as EventData<Name>)
    })
  }

  /** Reconnects at once instead of waiting for the backoff. */
  reconnect(): void {
    this.#retry()
  }

  /** Starts to receive events, from the socket of this tab or through the leader tab. */
  start(signal: AbortSignal): void {
    const { client, clock, channel: openChannel } = this.#api
    const channel = openChannel(CHANNEL)
    const say = (message: Message) => channel.postMessage(message)
    let isLeading = false
    let hasRivalLeft = false

    // The server keeps only the newest socket of a browser, which may be that of the second leader. Reconnect after it.
    const takeBack = () => {
      if (!hasRivalLeft || client.events.getState().phase !== 'replaced') return
      hasRivalLeft = false
      client.events.retryNow()
    }
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'ask') {
        if (isLeading) say({ kind: 'state', state: client.events.getState() })
      } else if (data.kind === 'retry') {
        if (isLeading) client.events.retryNow()
      } else if (data.kind === 'stepped-back') {
        hasRivalLeft = isLeading
        takeBack()
        if (isLeading) say({ kind: 'state', state: client.events.getState() })
      } else if (!isLeading) {
        if (data.kind === 'event') this.#events.emit(data.event)
        else this.#changeState(data.state)
      }
    }
    this.#retry = () => {
      if (isLeading) client.events.retryNow()
      else say({ kind: 'retry' })
    }
    const lead = () => {
      isLeading = true
      hasRivalLeft = false
      const stopStates = client.events.onState((state) => {
        this.#changeState(state)
        say({ kind: 'state', state })
        takeBack()
      })
      const stopEvents = client.events.listen((event) => {
        this.#events.emit(event)
        say({ kind: 'event', event })
      })
      return () => {
        isLeading = false
        stopEvents()
        stopStates()
        say({ kind: 'stepped-back' })
      }
    }
    const withdraw = electLeaderTab({ name: ELECTION, lead, clock, openChannel })
    say({ kind: 'ask' })
    const comeBack = () => document.visibilityState === 'visible' && this.reconnect()
    window.addEventListener('online', comeBack, { signal })
    document.addEventListener('visibilitychange', comeBack, { signal })
    signal.addEventListener('abort', () => {
      withdraw()
      channel.close()
    })
  }

  #changeState(state: EventStreamState): void {
    const { state: before, hasBeenOpen } = this.stream.getState()
    const isOpen = state.phase === 'open'
    this.stream.setState({ state, hasBeenOpen: hasBeenOpen || isOpen })
    if (isOpen && before.phase !== 'open') this.#connects.emit(hasBeenOpen)
    if (state.phase === 'lost' && before.phase === 'open') this.#losses.emit()
  }
}

/** Returns the state of the event stream, the same in all tabs. */
export const useEventStream = (): EventStreamState =>
  useSource(usePart(ServerEvents).stream, ({ state }) => state)

/** Returns true if the event stream was ever open. A server without events never opens it, and that is not an error. */
export const useHasHadEventStream = (): boolean =>
  useSource(usePart(ServerEvents).stream, ({ hasBeenOpen }) => hasBeenOpen)
