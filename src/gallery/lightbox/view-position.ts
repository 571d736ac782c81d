import { windowIndexOf } from '#gallery/api/images/image-windows.ts'

/** The position of the shown image in its view. If the image left the view, that of the gap before `before`. */
export type ViewPosition = { readonly at: number } | { readonly before: number }

/** The positions of the previous and the next image; null at the ends. */
export interface Neighbors {
  readonly previous: number | null
  readonly next: number | null
}

export function neighborsOf(viewPosition: ViewPosition, total: number): Neighbors {
  const previous = ('at' in viewPosition ? viewPosition.at : viewPosition.before) - 1
  const next = 'at' in viewPosition ? viewPosition.at + 1 : viewPosition.before
  return {
    previous: previous >= 0 && previous < total ? previous : null,
    next: next < total ? next : null,
  }
}

/** Returns the position to show after the image is removed: the next, or at the end the previous. */
export const afterRemoval = ({ previous, next }: Neighbors): number | null => next ?? previous

/** Returns the windows of the image and of the neighbors within the view. `total` is 0 if not known. */
export function windowsAround(viewPosition: ViewPosition, total: number): number[] {
  const position = 'at' in viewPosition ? viewPosition.at : viewPosition.before
  const neighbors = [position - 1, position + 1].filter((one) => one >= 0 && one < total)
  return [...new Set([position, ...neighbors].map(windowIndexOf))]
}

/** Returns text such as `12 of 50,000`. The first image is 1. */
export const formatViewPosition = (
  viewPosition: ViewPosition,
  total: number,
  format: (n: number) => string,
) =>
  'at' in viewPosition
    ? `${format(viewPosition.at + 1)} of ${format(total)}`
    : 'No longer in this view'
