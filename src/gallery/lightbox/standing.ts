import { windowIndexOf } from '#gallery/api/images/image-windows.ts'

/**
 * Where the shown image stands in its view: at a position, or, since it has left the view (moved,
 * deleted), in the gap before one.
 */
export type Standing = { readonly at: number } | { readonly before: number }

/** The positions of the images beside it; null at the ends. */
export interface Neighbours {
  readonly previous: number | null
  readonly next: number | null
}

export function neighboursOf(standing: Standing, total: number): Neighbours {
  const previous = ('at' in standing ? standing.at : standing.before) - 1
  const next = 'at' in standing ? standing.at + 1 : standing.before
  return {
    previous: previous >= 0 && previous < total ? previous : null,
    next: next < total ? next : null,
  }
}

/** What is shown when the image goes: the one that follows it, else the one before. */
export const afterRemoval = ({ previous, next }: Neighbours): number | null => next ?? previous

/**
 * The windows that hold the image and those beside it, as far as the view goes: past its end there is
 * nothing to ask for.
 *
 * @param total - Images in the view; 0 while that is not known.
 */
export function windowsAround(standing: Standing, total: number): number[] {
  const position = 'at' in standing ? standing.at : standing.before
  const beside = [position - 1, position + 1].filter((one) => one >= 0 && one < total)
  return [...new Set([position, ...beside].map(windowIndexOf))]
}

/** `12 of 50,000`, with the first image as 1. */
export const formatStanding = (standing: Standing, total: number, format: (n: number) => string) =>
  'at' in standing ? `${format(standing.at + 1)} of ${format(total)}` : 'No longer in this view'
