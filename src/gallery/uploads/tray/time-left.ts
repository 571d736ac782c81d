export interface ProgressSample {
  readonly atMs: number
  readonly bytesDone: number
}

const WINDOW_MS = 20_000
const SHORTEST_SPAN_MS = 2_000

/** Returns the samples of the last twenty seconds, including the new one. */
export const withSample = (
  samples: readonly ProgressSample[],
  sample: ProgressSample,
): readonly ProgressSample[] => {
  // Fewer bytes than before: a request was aborted or a file was cancelled, so the old speed is
  // meaningless.
  const isSetBack = sample.bytesDone < (samples.at(-1)?.bytesDone ?? 0)
  const recent = isSetBack ? [] : samples.filter(({ atMs }) => atMs > sample.atMs - WINDOW_MS)
  return [...recent, sample]
}

/** The time for the remaining bytes at the recent speed, in milliseconds; null without enough samples. */
export function timeLeftMs(samples: readonly ProgressSample[], bytesLeft: number): number | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return null
  const spanMs = last.atMs - first.atMs
  const bytes = last.bytesDone - first.bytesDone
  if (spanMs < SHORTEST_SPAN_MS || bytes <= 0) return null
  return (bytesLeft * spanMs) / bytes
}
