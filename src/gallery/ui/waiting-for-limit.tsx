import { useSecondsUntil } from './use-seconds-until.ts'

/** "Waiting for the server's request limit, 48 s", counting down to a time in milliseconds since 1970. */
export function WaitingForLimit({ until }: { until: number }) {
  const seconds = Math.max(1, useSecondsUntil(until))
  return (
    <>
      Waiting for the server’s request limit, <span className="tabular-nums">{seconds} s</span>
    </>
  )
}
