import { useCallback, useSyncExternalStore } from 'react'

/** A countdown such as "Waiting for the server's request limit, 48 s". `until` is in milliseconds since 1970. */
export function WaitingForLimit({ until }: { until: number }) {
  const seconds = Math.max(1, useSecondsUntil(until))
  return (
    <>
      Waiting for the server’s request limit, <span className="tabular-nums">{seconds} s</span>
    </>
  )
}

/**
 * Returns the whole seconds until a time in milliseconds since 1970, rounded up; 0 after that time, and for null.
 *
 * The value is derived from the time and the clock only. A clock value in state would be up to a second old when the
 * time changes, and the countdown would jump.
 */
export function useSecondsUntil(timeMs: number | null): number {
  const subscribe = useCallback((onChange: () => void) => countDown(timeMs, onChange), [timeMs])
  return useSyncExternalStore(subscribe, () => secondsUntil(timeMs))
}

const secondsUntil = (timeMs: number | null): number =>
  timeMs === null ? 0 : Math.max(0, Math.ceil((timeMs - Date.now()) / 1000))

/** Calls back whenever {@link secondsUntil} changes. Returns a function that stops it. */
function countDown(timeMs: number | null, onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const scheduleNext = () => {
    const leftMs = timeMs === null ? 0 : timeMs - Date.now()
    if (leftMs <= 0) return
    const tick = () => {
      onChange()
      scheduleNext()
    }
    timer = setTimeout(tick, leftMs % 1000 || 1000)
  }
  scheduleNext()
  return () => clearTimeout(timer)
}
