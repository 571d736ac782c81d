import { CloudOff, Unplug } from 'lucide-react'
import { askAgain, useReachability } from '#gallery/api/reachability.ts'
import { retryEventLine, useEventLine, useHasHadEventLine } from '#gallery/api/server-events.ts'
import { Button } from '#gallery/ui/button.tsx'
import { useNow } from '#gallery/ui/use-now.ts'

/** A line that is back so soon was never missed, in milliseconds. */
const UNNOTICED_MS = 1_000

/**
 * Says that the server does not answer, or else that it tells no news any more, and when that is tried
 * again. What is loaded can still be used.
 */
export function UnreachableBanner() {
  const { kind } = useReachability()
  if (kind === 'gone') return <GoneBanner />
  return <LineBanner />
}

function GoneBanner() {
  const reachability = useReachability()
  const now = useNow(true)
  if (reachability.kind !== 'gone') return null
  return (
    <div className="flex items-center gap-3 rounded-lg border border-danger bg-raised py-2 pr-2 pl-4 text-sm shadow-floating">
      <CloudOff aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-danger" />
      <div className="min-w-0 sm:flex sm:gap-2">
        <p role="alert" className="font-semibold">
          The server does not answer.
        </p>
        <p className="text-muted tabular-nums">{countdown(reachability.retryAt, now)}</p>
      </div>
      <Button onClick={() => void askAgain()}>Try now</Button>
    </div>
  )
}

/** Quieter: everything works, and only what others do is not seen. */
function LineBanner() {
  const line = useEventLine()
  const hasBeenOpen = useHasHadEventLine()
  const isReplaced = line.phase === 'replaced'
  const lostSince = 'lostSince' in line ? line.lostSince : null
  const isLost = hasBeenOpen && lostSince !== null
  const now = useNow(isLost)
  if (!isReplaced && (!isLost || now - lostSince < UNNOTICED_MS)) return null
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line bg-raised py-1 pr-1 pl-4 text-muted text-sm shadow-floating">
      <Unplug aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <div className="min-w-0 sm:flex sm:gap-2">
        <p role="status">
          {isReplaced ? 'Live updates go to another window.' : 'Live updates stopped.'}
        </p>
        {!isReplaced && (
          <p className="tabular-nums">
            {line.phase === 'lost' ? countdown(line.retryAt, now) : 'Trying again…'}
          </p>
        )}
      </div>
      <Button tone="plain" onClick={retryEventLine}>
        {isReplaced ? 'Bring them here' : 'Try now'}
      </Button>
    </div>
  )
}

function countdown(retryAt: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1000))
  return seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again…'
}
