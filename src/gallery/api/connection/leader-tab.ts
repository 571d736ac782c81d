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

/**
 * Elects one tab of the browser as leader. If it closes, another one takes over within two to three seconds.
 *
 * @param locks - Web Locks, which are released at once when a tab closes. Pages over plain HTTP do not have them: their
 *   tabs elect a leader by heartbeats over a broadcast channel.
 * @returns A function that withdraws this tab.
 */
export function electLeaderTab(
  name: string,
  lead: Lead,
  locks: LockManager | null = globalThis.navigator?.locks ?? null,
): () => void {
  return locks ? leadByLock(locks, name, lead) : leadByHeartbeat(name, lead)
}

function leadByLock(locks: LockManager, name: string, lead: Lead): () => void {
  const leaving = new AbortController()
  const { signal } = leaving
  const hold = async () => {
    if (signal.aborted) return
    const stop = lead()
    await new Promise<void>((left) => signal.addEventListener('abort', () => left()))
    stop()
  }
  // A tab that withdraws while it waits aborts its request. That is not an error.
  locks.request(name, { signal }, hold).catch(() => {
    if (!signal.aborted) leadByHeartbeat(name, lead)
  })
  return () => leaving.abort()
}

/**
 * Elects a leader by heartbeats. After a silence another tab starts a new term. Browsers throttle hidden tabs, so there
 * can be two leaders for a moment: the one with the earlier term steps back.
 */
function leadByHeartbeat(name: string, lead: Lead): () => void {
  const channel = new BroadcastChannel(name)
  const [tab = 0] = crypto.getRandomValues(new Uint32Array(1))
  let term = 0
  let stop: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const say = (message: Message) => channel.postMessage(message)
  const beat = () => {
    say({ kind: 'beat', term, tab })
    timer = setTimeout(beat, BEAT_MS)
  }
  const stepForward = () => {
    term += 1
    stop = lead()
    beat()
  }
  const follow = (silenceMs: number) => {
    clearTimeout(timer)
    stop?.()
    stop = null
    timer = setTimeout(stepForward, silenceMs + Math.random() * SPREAD_MS)
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
    clearTimeout(timer)
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
