import type { ImageOrder } from '#contract/image.ts'
import { type ImageFilter, queryOfFilter } from '#contract/image-filter.ts'

/** Filter and order of images. Trashed images are in no view. */
export interface ImageView extends ImageFilter {
  /** Id of a board, `none` for uncategorized; absent means all boards. */
  readonly boardId?: string | undefined
  /**
   * The default is `created_at`, the time when the image was added. A server without the extension
   * `image_orders` ignores other values.
   */
  readonly orderBy?: ImageOrder | undefined
  /** The default is `DESC`: newest, largest or alphabetically last first. */
  readonly orderDir?: 'ASC' | 'DESC' | undefined
  /** The server's default is true. */
  readonly starredFirst?: boolean | undefined
  /** Substring of the metadata text or of `created_at`. */
  readonly searchTerm?: string | undefined
  /** Words and "phrases" to find in prompt, parameters, file name or board name (extension `query`). */
  readonly query?: string | undefined
}

/** Part of a view: from a zero-based position, or after a named image (extension `image_position`). */
export type ImageWindow = { readonly limit: number } & (
  | { readonly offset: number; readonly after?: undefined }
  | { readonly after: string; readonly offset?: undefined }
)

export const queryOfView = (view: ImageView) => ({
  board_id: view.boardId,
  ...queryOfFilter(view),
  order_by: view.orderBy,
  order_dir: view.orderDir,
  starred_first: view.starredFirst,
  search_term: view.searchTerm,
  query: view.query,
})
