import type { ImageView } from '#gallery/api/images/image-windows.ts'

/** Where a person was in a view, as it survives a reload and the way back. */
export interface RememberedPlace {
  /** The first image that was seen, and its position then. */
  readonly imageName: string
  readonly position: number
  /** How far its row was scrolled out above, in pixels; negative while it was further down. */
  readonly offsetPx: number
  /** Images in the view then: the length of the scrollbar until the server has said it. */
  readonly total: number
}

const keyOf = ({ boardId, query, orderDir, starredFirst, isTrash }: ImageView) =>
  `tessera:place:${JSON.stringify([boardId, query, orderDir, starredFirst, isTrash])}`

/** Keeps the place in a view, for this tab. */
export function rememberPlace(view: ImageView, place: RememberedPlace): void {
  try {
    sessionStorage.setItem(keyOf(view), JSON.stringify(place))
  } catch {
    // A full or forbidden store costs the place after a reload, and nothing else.
  }
}

/** At the very top there is nothing to remember: what is new is to be seen first. */
export const forgetPlace = (view: ImageView): void => sessionStorage.removeItem(keyOf(view))

/** Where the person was in a view; `null` when it is new or they were at its top. */
export function rememberedPlace(view: ImageView): RememberedPlace | null {
  const kept = sessionStorage.getItem(keyOf(view))
  return kept === null ? null : (JSON.parse(kept) as RememberedPlace)
}
