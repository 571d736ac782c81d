/** How far a queue was at a moment. */
export interface ProgressSample {
  readonly atMs: number
  readonly bytesDone: number
}

const WINDOW_MS = 20_000
const SHORTEST_SPAN_MS = 2_000

/** The samples of the last twenty seconds, with a new one. */
export const withSample = (
  samples: readonly ProgressSample[],
  sample: ProgressSample,
): readonly ProgressSample[] => {
  // Fewer bytes than before: a request went back to the line or a file was cancelled. The old pace says nothing then.
  const isSetBack = sample.bytesDone < (samples.at(-1)?.bytesDone ?? 0)
  const recent = isSetBack ? [] : samples.filter(({ atMs }) => atMs > sample.atMs - WINDOW_MS)
  return [...recent, sample]
}

/** Milliseconds until so many bytes are gone at the recent pace; null while there is no telling. */
export function timeLeftMs(samples: readonly ProgressSample[], bytesLeft: number): number | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return null
  const spanMs = last.atMs - first.atMs
  const bytes = last.bytesDone - first.bytesDone
  if (spanMs < SHORTEST_SPAN_MS || bytes <= 0) return null
  return (bytesLeft * spanMs) / bytes
}
