/** A tab that leads says so this often, in milliseconds. */
const BEAT_MS = 500

/** After so long a silence another tab takes over, in milliseconds. */
const SILENCE_MS = 1_800

/** How long a new tab listens for one that leads already, in milliseconds. */
const LISTEN_MS = 250

/** Tabs wait for up to so much longer, or all would step forward at once. In milliseconds. */
const SPREAD_MS = 250

type Message =
  | { readonly kind: 'hello' }
  | { readonly kind: 'beat'; readonly term: number; readonly tab: number }
  | { readonly kind: 'left' }

/** What one tab does for all of them. @returns What ends it. */
type Lead = () => () => void

/**
 * Lets one of the browser's tabs do something for all of them; when it goes, another one takes over
 * within two to three seconds (design 4).
 *
 * @param locks - Web Locks, which see a tab go at once. A page on plain http in a home network has none:
 *   the tabs then settle it among themselves.
 * @returns What takes this tab out.
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
  // Who leaves while it waits takes its request back, and that is no fault.
  locks.request(name, { signal }, hold).catch(() => {
    if (!signal.aborted) leadByHeartbeat(name, lead)
  })
  return () => leaving.abort()
}

/**
 * The tab that leads beats; after a silence another begins a new term. A browser slows hidden tabs
 * down, so one that hears of a later term than its own steps back.
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
