import { useEffect, useState } from 'react'
import { type ProgressSample, timeLeftMs, withSample } from './time-left.ts'
import { currentUploads } from './upload-store.ts'

/** Milliseconds until the queue is through, measured once a second; null while there is no telling. */
export function useTimeLeft(isRunning: boolean): number | null {
  const [samples, setSamples] = useState<readonly ProgressSample[]>([])
  useEffect(() => {
    if (!isRunning) return
    const measure = () =>
      setSamples((before) =>
        withSample(before, { atMs: Date.now(), bytesDone: currentUploads().tally.bytesDone }),
      )
    measure()
    const timer = window.setInterval(measure, 1000)
    return () => {
      window.clearInterval(timer)
      setSamples([])
    }
  }, [isRunning])
  return isRunning ? timeLeftMs(samples, currentUploads().tally.bytesLeft) : null
}
