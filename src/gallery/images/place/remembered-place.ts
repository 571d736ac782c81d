import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { type GridNow, seenImages } from '#gallery/images/grid/grid-now.ts'
import { topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { AT_TOP_PX } from './grid-anchor.ts'

/** The scroll position in a view. It survives a reload and back navigation. */
export interface RememberedPlace {
  /** The first visible image, and its position at that time. */
  readonly imageName: string
  readonly position: number
  /** Distance by which its row was scrolled out at the top, in pixels; negative if the row was further down. */
  readonly offsetPx: number
  /** Number of images in the view at that time. It sets the scrollbar's length until the server answers. */
  readonly total: number
}

/** Views with other images or another order have other places. */
const keyOf = (view: ImageView) =>
  `tessera:place:${JSON.stringify([
    view.boardId,
    view.query,
    view.categories,
    view.kind,
    view.isStarred,
    view.minDurationMs,
    view.maxDurationMs,
    view.orderBy,
    view.orderDir,
    view.starredFirst,
    view.isTrash,
  ])}`

/** Saves the place of a grid for this tab. Removes it at the top of the view, so that a reload shows new images. */
export function savePlace(now: GridNow): void {
  const { view, scroller, layout, total } = now
  const first = seenImages(now)[0]
  if (scroller.viewportPx === 0) return
  try {
    if (scroller.contentTop < AT_TOP_PX) sessionStorage.removeItem(keyOf(view))
    else if (first) {
      const { imageName, position } = first
      const offsetPx = scroller.contentTop - topOfPosition(layout, position)
      const place: RememberedPlace = { imageName, position, offsetPx, total }
      sessionStorage.setItem(keyOf(view), JSON.stringify(place))
    }
  } catch {
    // If the storage is full or forbidden, only the place after a reload is lost.
  }
}

/** Returns the saved place in a view; `null` if the view is new or was at its top. */
export function rememberedPlace(view: ImageView): RememberedPlace | null {
  try {
    const stored = sessionStorage.getItem(keyOf(view))
    return stored === null ? null : (JSON.parse(stored) as RememberedPlace)
  } catch {
    // The browser forbids storage.
    return null
  }
}
