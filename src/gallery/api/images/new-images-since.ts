import type { ImageRecord } from '#contract/image.ts'
import type { ImageView, ImageWindow } from './image-windows.ts'
import { isNewestFirst, isOf, withNewImages } from './new-image-windows.ts'

/** An answer that takes longer is of no more use, in milliseconds. */
const REMEMBER_MS = 30_000

let recent: { readonly record: ImageRecord; readonly at: number }[] = []

/** Records are shown from now on. Times are of `performance.now()`. */
export function rememberNewImages(records: readonly ImageRecord[], now = performance.now()): void {
  const kept = recent.filter(({ at }) => now - at < REMEMBER_MS)
  recent = [...kept, ...records.map((record) => ({ record, at: now }))]
}

/**
 * An answer of a view's first window with what has come in since it was asked for: or an image that is
 * shown already would go, and come again with the next answer.
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
