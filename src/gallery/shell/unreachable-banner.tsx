import { CloudOff, Unplug } from 'lucide-react'
import { askAgain, useReachability } from '#gallery/api/reachability.ts'
import { retryEventLine, useEventLine, useHasHadEventLine } from '#gallery/api/server-events.ts'
import { Button } from '#gallery/ui/button.tsx'
import { useNow } from '#gallery/ui/use-now.ts'
import { Banner } from './banner.tsx'

/** A line that is back so soon was never missed, in milliseconds. */
const UNNOTICED_MS = 1_000

/**
 * Says that the server, or the one behind it, does not answer, or else that it tells no news any more, and
 * when that is tried again. What is loaded can still be used.
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
  const { upstream, retryAt } = reachability
  return (
    <Banner
      icon={CloudOff}
      tone="alert"
      title={upstream === null ? 'The server does not answer.' : 'InvokeAI does not answer.'}
      next={countdown(retryAt, now)}
      detail={upstream}
      action={<Button onClick={() => void askAgain()}>Try now</Button>}
    />
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
    <Banner
      icon={Unplug}
      tone="note"
      title={isReplaced ? 'Live updates are on in another window.' : 'Live updates stopped.'}
      next={isReplaced ? undefined : nextTry(line, now)}
      action={
        <Button tone="plain" onClick={retryEventLine}>
          {isReplaced ? 'Use this window' : 'Try now'}
        </Button>
      }
    />
  )
}

const nextTry = (line: ReturnType<typeof useEventLine>, now: number): string =>
  line.phase === 'lost' ? countdown(line.retryAt, now) : 'Trying again…'

function countdown(retryAt: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1000))
  return seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again…'
}
