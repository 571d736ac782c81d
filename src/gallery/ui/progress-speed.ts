import { useEffect, useEffectEvent, useState } from 'react'

export interface ProgressSample {
  readonly atMs: number
  /** In any unit, such as bytes or images. */
  readonly amountDone: number
}

const WINDOW_MS = 20_000
const SHORTEST_SPAN_MS = 2_000

/** Returns the samples of the last twenty seconds, including the new one. */
export const withSample = (
  samples: readonly ProgressSample[],
  sample: ProgressSample,
): readonly ProgressSample[] => {
  // Less than before: a request was aborted or a file was canceled, so the old speed is meaningless.
  const isSetBack = sample.amountDone < (samples.at(-1)?.amountDone ?? 0)
  const recent = isSetBack ? [] : samples.filter(({ atMs }) => atMs > sample.atMs - WINDOW_MS)
  return [...recent, sample]
}

export interface Speed {
  /** Amount per second. */
  readonly perSecond: number
  /** Milliseconds until the work is finished. */
  readonly leftMs: number
}

/** The recent speed, and the time for the remaining amount; null without enough samples. */
export function speedOf(samples: readonly ProgressSample[], amountLeft: number): Speed | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return null
  const spanMs = last.atMs - first.atMs
  const amount = last.amountDone - first.amountDone
  if (spanMs < SHORTEST_SPAN_MS || amount <= 0) return null
  return { perSecond: (1000 * amount) / spanMs, leftMs: (amountLeft * spanMs) / amount }
}

interface Amounts {
  readonly amountDone: number
  readonly amountLeft: number
}

/** Returns the speed of the work, measured once a second; null if unknown. */
export function useSpeed(isRunning: boolean, read: () => Amounts): Speed | null {
  const [measured, setMeasured] = useState(NOTHING_MEASURED)
  const readNow = useEffectEvent(read)
  useEffect(() => {
    if (!isRunning) return
    const measure = () => {
      const { amountDone, amountLeft } = readNow()
      setMeasured(({ samples }) => ({
        samples: withSample(samples, { atMs: Date.now(), amountDone }),
        amountLeft,
      }))
    }
    measure()
    const timer = window.setInterval(measure, 1000)
    return () => {
      window.clearInterval(timer)
      setMeasured(NOTHING_MEASURED)
    }
  }, [isRunning])
  return isRunning ? speedOf(measured.samples, measured.amountLeft) : null
}

const NOTHING_MEASURED = { samples: [] as readonly ProgressSample[], amountLeft: 0 }
