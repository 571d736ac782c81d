import type { ImageView } from '#gallery/api/images/image-windows.ts'

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

const keyOf = ({ boardId, query, orderDir, starredFirst, isTrash }: ImageView) =>
  `tessera:place:${JSON.stringify([boardId, query, orderDir, starredFirst, isTrash])}`

/** Saves the place in a view for this browser tab. */
export function rememberPlace(view: ImageView, place: RememberedPlace): void {
  try {
    sessionStorage.setItem(keyOf(view), JSON.stringify(place))
  } catch {
    // If the storage is full or forbidden, only the place after a reload is lost.
  }
}

/** Removes the saved place. Used at the top of the view, where new images should be visible after a reload. */
export const forgetPlace = (view: ImageView): void => sessionStorage.removeItem(keyOf(view))

/** Returns the saved place in a view; `null` if the view is new or was at its top. */
export function rememberedPlace(view: ImageView): RememberedPlace | null {
  const stored = sessionStorage.getItem(keyOf(view))
  return stored === null ? null : (JSON.parse(stored) as RememberedPlace)
}
