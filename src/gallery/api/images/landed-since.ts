import type { ImageRecord } from '#contract/image.ts'
import type { ImageView, ImageWindow } from './image-windows.ts'
import { isNewestFirst, isOf, withLanded } from './landed-windows.ts'

/** An answer that takes longer is of no more use, in milliseconds. */
const KEPT_MS = 30_000

let landed: { readonly record: ImageRecord; readonly at: number }[] = []

/** Records are shown from now on. Times are of `performance.now()`. */
export function noteLanded(records: readonly ImageRecord[], now = performance.now()): void {
  const kept = landed.filter(({ at }) => now - at < KEPT_MS)
  landed = [...kept, ...records.map((record) => ({ record, at: now }))]
}

/**
 * An answer of a view's first window with what has come in since it was asked for: or an image that is
 * shown already would go, and come again with the next answer.
 */
export function withLandedSince(
  view: ImageView,
  window: ImageWindow,
  askedAt: number,
): ImageWindow {
  if (!isNewestFirst(view)) return window
  const records = landed.filter(({ at }) => at >= askedAt).map(({ record }) => record)
  const own = records.filter((record) => isOf(view, record))
  return withLanded(view, new Map([[0, window]]), own)?.get(0) ?? window
}
