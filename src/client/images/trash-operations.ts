import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { inPartsMerged } from '#client/transport/in-parts.ts'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import {
  type EmptyTrashResult,
  emptyTrash,
  listTrash,
  type RestoreResult,
  restoreFromTrash,
  type TrashPage,
  type TrashResult,
  trashBoard,
  trashImages,
} from '#contract/trash-operations.ts'

/** The trash, which only a server with the extension `trash` has. */
export class TrashOperations {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Moves images to the trash. Unknown names land in `failed_images`. */
  trashImages(imageNames: readonly string[], options: CallOptions = {}): Promise<TrashResult> {
    return inPartsMerged(
      imageNames,
      (image_names) => this.#http.call(trashImages, { body: { image_names }, ...options }),
      MAX_NAMES_PER_REQUEST,
    )
  }

  /**
   * Moves a board to the trash. Its images become uncategorized, or go with it.
   *
   * @param options.maxImages - Stops after so many images. The board goes with the last of them: call again
   *   until `trashed_boards` names it.
   * @throws {RefusedError} `board_not_found`.
   */
  trashBoard(
    boardId: string,
    options: CallOptions & {
      readonly includeImages?: boolean | undefined
      readonly maxImages?: number | undefined
    } = {},
  ): Promise<TrashResult> {
    const { includeImages = false, maxImages, ...call } = options
    const body = {
      board_id: boardId,
      include_images: includeImages,
      ...(maxImages !== undefined && { max_images: maxImages }),
    }
    return this.#http.call(trashBoard, { body, ...call })
  }

  /** Brings images and boards back to where they were. What is not in the trash is left out. */
  restore(
    what: { readonly imageNames?: readonly string[]; readonly boardIds?: readonly string[] },
    options: CallOptions = {},
  ): Promise<RestoreResult> {
    const { imageNames = [], boardIds = [] } = what
    // The boards go along with each part: images on a board come back to it only once it is there.
    return inPartsMerged(
      imageNames,
      (image_names) =>
        this.#http.call(restoreFromTrash, {
          body: { image_names, board_ids: [...boardIds] },
          ...options,
        }),
      MAX_NAMES_PER_REQUEST,
    )
  }

  /** What is in the trash, newest there first. `boards` are all of them, on every page. */
  list(
    window: { readonly offset: number; readonly limit: number },
    options: CallOptions = {},
  ): Promise<TrashPage> {
    return this.#http.call(listTrash, { query: window, ...options })
  }

  /** Deletes for good all that is in the trash. */
  empty(options: CallOptions = {}): Promise<EmptyTrashResult> {
    return this.#http.call(emptyTrash, options)
  }
}
