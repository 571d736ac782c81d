import { Hourglass } from 'lucide-react'
import { useLimitWait } from '#gallery/api/connection/limit-wait.ts'
import { useReachability } from '#gallery/api/connection/reachability.ts'
import { useSecondsUntil } from '#gallery/ui/use-seconds-until.ts'
import { Banner } from './banner.tsx'

/** Says that the page waits for the server's request limit, and for how long. Waits of a second go unmentioned. */
export function LimitBanner() {
  const until = useLimitWait()
  const { kind } = useReachability()
  const seconds = useSecondsUntil(until)
  if (kind === 'gone' || seconds <= 1) return null
  return (
    <Banner
      icon={Hourglass}
      tone="note"
      title="Waiting for the server’s request limit."
      next={`Continuing in ${seconds} s`}
    />
  )
}
