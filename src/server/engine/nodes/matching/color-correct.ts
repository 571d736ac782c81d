import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode, type NodeDefinition } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { OptionalImage } from '#server/engine/nodes/pictures/inputs.ts'
import { mixThrough, withAlphaOf } from '#server/engine/pictures/blend.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { mapBands } from '#server/engine/pictures/map-bands.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, bandsOf, type Picture } from '#server/engine/pictures/picture.ts'

/** The mode and the matched bands of each color space. */
const spaces = {
  RGB: { mode: 'RGB', bands: [0, 1, 2] },
  YCbCr: { mode: 'YCbCr', bands: [0, 1, 2] },
  'YCbCr-Chroma': { mode: 'YCbCr', bands: [1, 2] },
  'YCbCr-Luma': { mode: 'YCbCr', bands: [0] },
} as const

/** Matches the given bands of a picture to those of a reference. */
const matched = async (
  base: BytePicture,
  reference: BytePicture,
  bands: readonly number[],
): Promise<BytePicture> => {
  let picture = base
  for (const band of bands) {
    const match = await histogramMatch(base, reference, band)
    picture = await mapBands(picture, match, [band])
  }
  return picture
}

/** Restores the base picture where the mask is white. */
const restoreUnderMask = async (
  mask: Picture,
  base: BytePicture,
  corrected: BytePicture,
): Promise<BytePicture> => {
  if (mask.width !== base.width || mask.height !== base.height) {
    throw new NodeFault('Mask size must match base image size.')
  }
  return mixThrough(base, corrected, await toMode(mask, 'L'))
}

/** Matches the colors of an image to another one by histograms. Returns RGBA with the alpha of the base. */
export const colorCorrect = definePictureNode({
  type: 'color_correct',
  summary: 'Matches the colours of an image to those of another',
  differs: 'RGB by at most 1 level, YCbCr by at most 21 levels in at most 0.2 % of the values.',
  inputs: {
    base_image: ImageField,
    color_reference: ImageField,
    mask: OptionalImage('As large as `base_image`: where it is white, the base stays as it is'),
    colorspace: Type.Enum(['RGB', 'YCbCr', 'YCbCr-Chroma', 'YCbCr-Luma'], {
      default: 'RGB',
      description: 'Which channels are matched',
    }),
  },
  run: async ({ base_image, color_reference, mask, colorspace }, context) => {
    const { readPicture, readAs } = context
    const base = await readAs(base_image, 'RGBA')
    const { mode, bands } = spaces[colorspace]
    const reference = await readAs(color_reference, mode)
    const own = await toMode(base, mode)
    const rgba = await toMode(await matched(own, reference, bands), 'RGBA')
    const corrected = await withAlphaOf(rgba, base)
    return mask === null ? corrected : restoreUnderMask(await readPicture(mask), base, corrected)
  },
})

/** A value and the share of pixels with at most this value. */
interface Quantile {
  readonly value: number
  readonly share: number
}

/** Returns the quantiles of a band in ascending order. */
const quantilesOf = async (
  { mode, width, height, data }: BytePicture,
  band: number,
): Promise<Quantile[]> => {
  const bands = bandsOf[mode]
  const pixels = width * height
  const counts = new Uint32Array(256)
  await inSlices(pixels, 0.5, (from, to) => {
    for (let at = from * bands + band; at < to * bands; at += bands) {
      const value = data[at] ?? 0
      counts[value] = (counts[value] ?? 0) + 1
    }
  })
  let sum = 0
  return [...counts.entries()]
    .filter(([, count]) => count > 0)
    .map(([value, count]) => {
      sum += count
      return { value, share: sum / pixels }
    })
}

/** Returns the value at a share, interpolated between adjacent quantiles. */
const valueAt = (quantiles: readonly Quantile[], share: number): number => {
  const above = quantiles.findIndex((quantile) => quantile.share >= share)
  const upper = quantiles[above]
  const lower = quantiles[above - 1]
  if (upper === undefined) return quantiles.at(-1)?.value ?? 0
  if (lower === undefined || upper.share === share) return upper.value
  const part = (share - lower.share) / (upper.share - lower.share)
  return lower.value + part * (upper.value - lower.value)
}

/**
 * Returns the histogram matching of a band: each value becomes the value of the reference with the same rank. InvokeAI
 * also counts values that the reference lacks, which makes the lightest pixels white.
 */
const histogramMatch = async (
  base: BytePicture,
  reference: BytePicture,
  band: number,
): Promise<(value: number) => number> => {
  const wanted = await quantilesOf(reference, band)
  const own = await quantilesOf(base, band)
  const shares = new Map(own.map(({ value, share }) => [value, share]))
  return (value) => valueAt(wanted, shares.get(value) ?? 0)
}

export const matchingNodes: readonly NodeDefinition[] = [colorCorrect]
