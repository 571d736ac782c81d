import type { ImageCategory, ImageOrder, ImageOrigin } from '#contract/image.ts'

/** Which images, in which order. What is in the trash belongs to no view. */
export interface ImageView {
  /** A board's id, `none` for uncategorized, absent for every board. */
  readonly boardId?: string | undefined
  readonly categories?: readonly ImageCategory[] | undefined
  readonly imageOrigin?: ImageOrigin | undefined
  /** Absent: both kinds. A gallery sends false. */
  readonly isIntermediate?: boolean | undefined
  /**
   * The default is `created_at`, the time of arrival. A server without the extension `image_orders` knows no
   * other and answers in that order.
   */
  readonly orderBy?: ImageOrder | undefined
  /** The default is `DESC`: newest, largest or last of the alphabet first. */
  readonly orderDir?: 'ASC' | 'DESC' | undefined
  /** The server's default is true. */
  readonly starredFirst?: boolean | undefined
  /** A substring of the metadata text or of `created_at` (wire 2.4). */
  readonly searchTerm?: string | undefined
  /** Words and "phrases" of prompt, parameters, file name or board name (extension `query`). */
  readonly query?: string | undefined
}

/** Which part of a view: by position from 0, or behind a named image (extension `image_position`). */
export type ImageWindow = { readonly limit: number } & (
  | { readonly offset: number; readonly after?: undefined }
  | { readonly after: string; readonly offset?: undefined }
)

/** A view as it travels. */
export const queryOfView = (view: ImageView) => ({
  board_id: view.boardId,
  categories: view.categories && [...view.categories],
  image_origin: view.imageOrigin,
  is_intermediate: view.isIntermediate,
  order_by: view.orderBy,
  order_dir: view.orderDir,
  starred_first: view.starredFirst,
  search_term: view.searchTerm,
  query: view.query,
})
