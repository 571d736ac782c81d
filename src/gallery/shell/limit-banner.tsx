import { Hourglass } from 'lucide-react'
import { useLimitWait } from '#gallery/api/limit-wait.ts'
import { useReachability } from '#gallery/api/reachability.ts'
import { useNow } from '#gallery/ui/use-now.ts'
import { Banner } from './banner.tsx'

/** Shorter waits pass without a word, in milliseconds. */
const UNNOTICED_MS = 1_500

/** Says that the page waits for the server's request limit, and for how long. */
export function LimitBanner() {
  const until = useLimitWait()
  const { kind } = useReachability()
  const now = useNow(until !== null)
  if (until === null || kind === 'gone' || until - now < UNNOTICED_MS) return null
  const seconds = Math.ceil((until - now) / 1000)
  return (
    <Banner
      icon={Hourglass}
      tone="note"
      title="Waiting for the server’s request limit."
      next={`Continuing in ${seconds} s`}
    />
  )
}
