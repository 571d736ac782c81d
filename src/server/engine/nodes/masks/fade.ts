import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { Level } from '#server/engine/nodes/pictures/inputs.ts'
import { distancesToBlack } from '#server/engine/pictures/distances.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { mapBands } from '#server/engine/pictures/map-bands.ts'
import { emptyPicture } from '#server/engine/pictures/picture.ts'

/**
 * Extends the black of a mask with a fade to white. Distances are exact, and InvokeAI's differ by up to 2 %, so that
 * a fade can differ by a few levels.
 */
export const expandMaskWithFade = definePictureNode({
  type: 'expand_mask_with_fade',
  summary: 'Grows the black of a mask with a fade',
  inputs: {
    mask: ImageField,
    threshold: Level(0, 'The lightest grey that counts as black'),
    fade_size_px: Type.Integer({
      default: 32,
      minimum: 0,
      description: 'Where white begins, in pixels; 0 leaves the mask as it is',
    }),
  },
  saving: { category: 'mask' },
  run: async ({ mask, threshold, fade_size_px }, { readAs }) => {
    const gray = await readAs(mask, 'L')
    if (fade_size_px === 0) return gray
    const hard = await mapBands(gray, (value) => (value > threshold ? 255 : 0))
    const distances = await distancesToBlack(hard)
    const whiteness = fadeCurve(fade_size_px)
    const faded = emptyPicture('L', gray.width, gray.height)
    await inSlices(distances.length, 1, (from, to) => {
      for (let at = from; at < to; at++) {
        const distance = distances[at] ?? 0
        faded.data[at] = distance === 0 ? 0 : Math.trunc(whiteness(distance) * 255)
      }
    })
    return faded
  },
})

/** Solves a linear system with rows `[...coefficients, result]` by Gaussian elimination with pivoting. */
const solve = (rows: number[][]): number[] => {
  for (let column = 0; column < rows.length; column++) {
    const rest = rows
      .splice(column)
      .sort((a, b) => Math.abs(at(b, column)) - Math.abs(at(a, column)))
    rows.push(...rest)
    const pivot = rows[column] ?? []
    for (const row of rows) {
      if (row === pivot) continue
      const share = at(row, column) / at(pivot, column)
      for (let index = column; index < row.length; index++)
        row[index] = at(row, index) - share * at(pivot, index)
    }
  }
  return rows.map((row, index) => at(row, rows.length) / at(row, index))
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0

/** Returns the coefficients of the least-squares cubic, beginning with the constant. */
const fitCubic = (points: readonly (readonly [x: number, y: number])[]): number[] => {
  const sum = (of: (x: number, y: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x, y), 0)
  const powers = [0, 1, 2, 3]
  return solve(
    powers.map((row) => [
      ...powers.map((column) => sum((x) => x ** (row + column))),
      sum((x, y) => y * x ** row),
    ]),
  )
}

/**
 * Returns the whiteness (0 to 1) of a fade as a function of the distance from black. The curve fits InvokeAI's
 * points: black up to the first pixel, then almost linear, and white from `fadePx` on.
 */
export const fadeCurve = (fadePx: number): ((distancePx: number) => number) => {
  const [constant = 0, linear = 0, square = 0, cube = 0] = fitCubic([
    [0, 0],
    [1 / fadePx, 0],
    [0.2, 0.2],
    [0.8, 0.9],
    [1, 1],
  ])
  return (distancePx) => {
    const x = distancePx / fadePx
    if (x >= 1) return 1
    return Math.min(1, Math.max(0, ((cube * x + square) * x + linear) * x + constant))
  }
}
