import { inSlices } from '#server/engine/pictures/in-slices.ts'

/** A strip through which a seam goes: on each line at one of the positions `first` to `last`. */
export interface Strip {
  readonly lines: number
  readonly first: number
  readonly last: number
}

/**
 * The seam from the first line to the last that costs least in sum, moving at most one position a line
 * (A. Efros and W. Freeman, "Image quilting for texture synthesis and transfer", 2001). Straight on where it
 * makes no difference, and the first of those that cost the same.
 *
 * @returns The position on each line.
 * @throws The signal's reason, once it is aborted.
 */
export const cheapestSeam = async (
  { lines, first, last }: Strip,
  costAt: (line: number, position: number) => number,
  signal: AbortSignal,
): Promise<Int32Array> => {
  const count = last - first + 1
  /** From where each position is reached, as a step. */
  const steps = new Int8Array(lines * count)
  let sums = new Float64Array(count)
  let before = new Float64Array(count)

  const addLine = (line: number) => {
    const reached = before
    before = sums
    sums = reached
    for (let at = 0; at < count; at++) {
      let step = 0
      let least = before[at] ?? 0
      for (const side of [-1, 1]) {
        const sum = before[at + side]
        if (sum === undefined || sum >= least) continue
        least = sum
        step = side
      }
      steps[line * count + at] = step
      sums[at] = least + costAt(line, first + at)
    }
  }
  await inSlices(lines, count * 4, signal, (from, to) => {
    for (let line = from; line < to; line++) addLine(line)
  })

  const seam = new Int32Array(lines)
  let at = sums.reduce((least, sum, index) => (sum < (sums[least] ?? 0) ? index : least), 0)
  for (let line = lines - 1; line >= 0; line--) {
    seam[line] = first + at
    at += steps[line * count + at] ?? 0
  }
  return seam
}
