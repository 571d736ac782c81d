import { eachInSlices } from '#server/engine/pictures/in-slices.ts'

/**
 * Finds the seam from the first line to the last with the lowest total cost. It moves at most one position per line
 * (A. Efros and W. Freeman, "Image quilting for texture synthesis and transfer", 2001). With equal costs, it
 * continues straight, and the first of several seams wins.
 *
 * @param strip - On each line, the seam is at one of the positions `first` to `last`.
 * @returns The position on each line.
 * @throws As `inSlices`.
 */
export const cheapestSeam = async (
  { lines, first, last }: { lines: number; first: number; last: number },
  costAt: (line: number, position: number) => number,
): Promise<Int32Array> => {
  const count = last - first + 1
  /** The step from the previous line that reaches each position. */
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
  await eachInSlices(lines, count * 4, addLine)

  const seam = new Int32Array(lines)
  let at = sums.reduce((least, sum, index) => (sum < (sums[least] ?? 0) ? index : least), 0)
  for (let line = lines - 1; line >= 0; line--) {
    seam[line] = first + at
    at += steps[line * count + at] ?? 0
  }
  return seam
}
