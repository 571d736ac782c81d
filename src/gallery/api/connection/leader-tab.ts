import { type Clock, Timer } from '#gallery/api/clock.ts'
import type { OpenChannel } from './other-tabs.ts'

/** The heartbeat interval of the leader tab, in milliseconds. */
const BEAT_MS = 500

/** The time without a heartbeat after which another tab takes over, in milliseconds. */
const SILENCE_MS = 1_800

/** The time that a new tab waits for an existing leader, in milliseconds. */
const LISTEN_MS = 250

/** The maximum random extra wait, so that not all tabs take over at once. In milliseconds. */
const SPREAD_MS = 250

type Message =
  | { readonly kind: 'hello' }
  | { readonly kind: 'beat'; readonly term: number; readonly tab: number }
  | { readonly kind: 'left' }

/** The work of the leader tab. Returns a function that stops it. */
type Lead = () => () => void

interface Election {
  /** Tabs with the same name elect one leader. */
  readonly name: string
  readonly lead: Lead
  readonly clock: Clock
  readonly openChannel: OpenChannel
  /** Released at once when a tab closes. Tabs over plain HTTP have none and elect a leader by heartbeats. */
  readonly locks?: LockManager | null
}

/**
 * Elects one tab of the browser as leader. If it closes, another one takes over within two to three seconds.
 *
 * @returns A function that withdraws this tab.
 */
export function electLeaderTab(election: Election): () => void {
  const { locks = globalThis.navigator?.locks ?? null } = election
  return locks ? leadByLock(locks, election) : leadByHeartbeat(election)
}

function leadByLock(locks: LockManager, election: Election): () => void {
  const { name, lead } = election
  const withdrawal = new AbortController()
  const { signal } = withdrawal
  const hold = async () => {
    if (signal.aborted) return
    const stop = lead()
    await new Promise<void>((left) => signal.addEventListener('abort', () => left()))
    stop()
  }
  // A tab that withdraws while it waits aborts its request. That is not an error.
  locks.request(name, { signal }, hold).catch(() => {
    if (!signal.aborted) leadByHeartbeat(election)
  })
  return () => withdrawal.abort()
}

/**
 * Elects a leader by heartbeats. After a silence another tab starts a new term. Browsers throttle hidden tabs, so there
 * can be two leaders for a moment: the one with the earlier term steps back.
 */
function leadByHeartbeat({ name, lead, clock, openChannel }: Election): () => void {
  const channel = openChannel(name)
  const timer = new Timer(clock)
  const [tab = 0] = crypto.getRandomValues(new Uint32Array(1))
  let term = 0
  let stop: (() => void) | null = null

  const say = (message: Message) => channel.postMessage(message)
  const beat = () => {
    say({ kind: 'beat', term, tab })
    timer.restart(BEAT_MS, beat)
  }
  const stepForward = () => {
    term += 1
    stop = lead()
    beat()
  }
  const follow = (silenceMs: number) => {
    stop?.()
    stop = null
    timer.restart(silenceMs + Math.random() * SPREAD_MS, stepForward)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') {
      if (stop !== null) say({ kind: 'beat', term, tab })
    } else if (data.kind === 'left') {
      if (stop === null) follow(0)
    } else if (stop === null || isLater(data, { term, tab })) {
      term = data.term
      follow(SILENCE_MS)
    }
  }
  say({ kind: 'hello' })
  follow(LISTEN_MS)

  const leave = () => {
    globalThis.removeEventListener?.('pagehide', leave)
    timer.stop()
    if (stop !== null) say({ kind: 'left' })
    stop?.()
    stop = null
    channel.close()
  }
  globalThis.addEventListener?.('pagehide', leave)
  return leave
}

interface Claim {
  readonly term: number
  readonly tab: number
}

const isLater = (one: Claim, other: Claim): boolean =>
  one.term > other.term || (one.term === other.term && one.tab > other.tab)
