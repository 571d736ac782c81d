import type { ImageRecord } from '#contract/image.ts'

export interface Seen {
  readonly position: number
  readonly imageName: string
  /** `null` if not known, for example after a reload. */
  readonly isStarred: boolean | null
}

export interface Shift {
  readonly from: number
  readonly to: number
}

/**
 * Returns how the visible images have moved in the view. Their positions grow when images are inserted above them. The
 * result is the shift of the first visible image that is still known, so that this image keeps its place on the screen.
 * Images whose star has changed are ignored: they may have jumped to the front.
 *
 * @param seen - In screen order.
 * @param known - All loaded records with their positions.
 * @returns `null` if none of the visible images is known.
 */
export function shiftOf(
  seen: readonly Seen[],
  known: Iterable<readonly [position: number, record: ImageRecord]>,
): Shift | null {
  const wanted = new Map(seen.map((image) => [image.imageName, image]))
  let first: Shift | null = null
  for (const [position, record] of known) {
    const before = wanted.get(record.image_name)
    if (!before || (before.isStarred ?? record.starred) !== record.starred) continue
    if (first === null || before.position < first.from) {
      first = { from: before.position, to: position }
    }
  }
  return first
}
