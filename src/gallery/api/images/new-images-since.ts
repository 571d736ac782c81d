import type { ImageRecord } from '#contract/image.ts'
import type { ImageView, ImageWindow } from './image-windows.ts'
import { isNewestFirst, isOf, withNewImages } from './new-image-windows.ts'

/** New images are remembered for this long, in milliseconds. Slower answers are ignored. */
const REMEMBER_MS = 30_000

let recent: { readonly record: ImageRecord; readonly at: number }[] = []

/** Remembers records that were inserted into views. `now` is a time of `performance.now()`. */
export function rememberNewImages(records: readonly ImageRecord[], now = performance.now()): void {
  const kept = recent.filter(({ at }) => now - at < REMEMBER_MS)
  recent = [...kept, ...records.map((record) => ({ record, at: now }))]
}

/**
 * Inserts the images that were added since a request was sent into its answer, the first window of a view. Without
 * them an image would disappear and reappear with the next answer.
 */
export function withImagesSince(
  view: ImageView,
  window: ImageWindow,
  askedAt: number,
): ImageWindow {
  if (!isNewestFirst(view)) return window
  const records = recent.filter(({ at }) => at >= askedAt).map(({ record }) => record)
  const own = records.filter((record) => isOf(view, record))
  return withNewImages(view, new Map([[0, window]]), own)?.get(0) ?? window
}
