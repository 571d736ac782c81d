import { useNow } from './use-now.ts'

/** "Waiting for the server's request limit, 48 s", counting down to a time in milliseconds since 1970. */
export function WaitingForLimit({ until }: { until: number }) {
  const now = useNow(true)
  const seconds = Math.max(1, Math.ceil((until - now) / 1000))
  return (
    <>
      Waiting for the server’s request limit, <span className="tabular-nums">{seconds} s</span>
    </>
  )
}
