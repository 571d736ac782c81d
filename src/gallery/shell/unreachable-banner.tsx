import { CloudOff, Unplug } from 'lucide-react'
import { askAgain, useReachability } from '#gallery/api/connection/reachability.ts'
import {
  retryEventLine,
  useEventLine,
  useHasHadEventLine,
} from '#gallery/api/connection/server-events.ts'
import { Button } from '#gallery/ui/button.tsx'
import { useSecondsUntil } from '#gallery/ui/use-seconds-until.ts'
import { Banner } from './banner.tsx'

/** An event stream that is back so soon goes unmentioned, in milliseconds. */
const UNNOTICED_MS = 1_000

/**
 * Says that the server, or the InvokeAI behind it, does not answer, or that live updates stopped, and when the
 * page tries again. Loaded images stay usable.
 */
export function UnreachableBanner() {
  const { kind } = useReachability()
  if (kind === 'gone') return <GoneBanner />
  return <LineBanner />
}

function GoneBanner() {
  const reachability = useReachability()
  const seconds = useSecondsUntil(reachability.kind === 'gone' ? reachability.retryAt : null)
  if (reachability.kind !== 'gone') return null
  const { upstream } = reachability
  return (
    <Banner
      icon={CloudOff}
      tone="alert"
      title={upstream === null ? 'The server does not answer.' : 'InvokeAI does not answer.'}
      next={countdown(seconds)}
      detail={upstream}
      action={<Button onClick={() => void askAgain()}>Try now</Button>}
    />
  )
}

/** Quieter: everything works except live updates. */
function LineBanner() {
  const line = useEventLine()
  const hasBeenOpen = useHasHadEventLine()
  const isReplaced = line.phase === 'replaced'
  const lostSince = 'lostSince' in line ? line.lostSince : null
  const isLost = hasBeenOpen && lostSince !== null
  const seconds = useSecondsUntil(line.phase === 'lost' ? line.retryAt : null)
  const isUnnoticed = useSecondsUntil(isLost ? lostSince + UNNOTICED_MS : null) > 0
  if (!isReplaced && (!isLost || isUnnoticed)) return null
  return (
    <Banner
      icon={Unplug}
      tone="note"
      title={isReplaced ? 'Live updates are on in another window.' : 'Live updates stopped.'}
      next={isReplaced ? undefined : countdown(seconds)}
      action={
        <Button tone="plain" onClick={retryEventLine}>
          {isReplaced ? 'Use this window' : 'Try now'}
        </Button>
      }
    />
  )
}

const countdown = (seconds: number): string =>
  seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again…'
