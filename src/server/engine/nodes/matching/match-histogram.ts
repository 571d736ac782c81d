import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { type BytePicture, bandsOf } from '#server/engine/pictures/picture.ts'

/** A value, and the share of pixels that are no lighter. */
interface Quantile {
  readonly value: number
  readonly share: number
}

/** The values that a band has, from dark to light. */
const quantilesOf = async (
  { mode, width, height, data }: BytePicture,
  band: number,
  signal: AbortSignal,
): Promise<Quantile[]> => {
  const bands = bandsOf[mode]
  const pixels = width * height
  const counts = new Uint32Array(256)
  await inSlices(pixels, 0.5, signal, (from, to) => {
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

/** The value that stands at a share, between two that the band has where need be. */
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
 * What each value of a band becomes, so that its values are spread as those of the reference are: each goes
 * to the value that as large a share of the reference is no lighter than. Truncated. InvokeAI counts values
 * that the reference does not have, too, which makes its lightest pixels white.
 *
 * @returns A table for `mapBands`; what the band does not have stays 0.
 */
export const histogramTable = async (
  base: BytePicture,
  reference: BytePicture,
  band: number,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const wanted = await quantilesOf(reference, band, signal)
  const table = new Uint8Array(256)
  for (const { value, share } of await quantilesOf(base, band, signal)) {
    table[value] = valueAt(wanted, share)
  }
  return table
}
