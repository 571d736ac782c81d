import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { inPartsMerged } from '#client/transport/in-parts.ts'
import type { ItemKind } from '#contract/image.ts'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import {
  type EmptyTrashResult,
  emptyTrash,
  listTrash,
  type RestoreResult,
  restoreFromTrash,
  type TrashOrder,
  type TrashPage,
  type TrashResult,
  trashBoard,
  trashImages,
} from '#contract/trash-operations.ts'

/** Requests about the trash. They require the extension `trash`. */
export class TrashOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Moves images to the trash. The result lists unknown names in `failed_images`.
   *
   * @param options.undoesRestore - True returns images that were restored to another board to the board that they
   *   had in the trash. The default is false.
   */
  trashImages(
    imageNames: readonly string[],
    options: CallOptions & { readonly undoesRestore?: boolean | undefined } = {},
  ): Promise<TrashResult> {
    const { undoesRestore, ...call } = options
    const send = (image_names: string[]) => {
      const body = { image_names, ...(undoesRestore && { undoes_restore: true }) }
      return this.#http.call(trashImages, { body, ...call })
    }
    return inPartsMerged(imageNames, send, MAX_NAMES_PER_REQUEST)
  }

  /**
   * Moves a board to the trash. Its images become uncategorized, or go to the trash with it.
   *
   * @param options.includeImages - True moves the images to the trash too. The default is false.
   * @param options.maxImages - Stops after so many images. The board follows with the last of them: repeat the
   *   call until `trashed_boards` names it.
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

  /**
   * Restores images and boards from the trash to their previous places. Ignores names and ids that are not in
   * the trash.
   *
   * @param items - Names of images and ids of boards. With `toBoardId` the images are restored to that board.
   * @throws {RefusedError} `board_not_found`: there is no such `toBoardId`. Nothing was restored.
   */
  restore(
    items: {
      readonly imageNames?: readonly string[]
      readonly boardIds?: readonly string[]
      readonly toBoardId?: string | undefined
    },
    options: CallOptions = {},
  ): Promise<RestoreResult> {
    const { imageNames = [], boardIds = [], toBoardId } = items
    // Each part repeats the boards: an image can return to its board only after the board is restored.
    const send = (image_names: string[]) => {
      const body = {
        image_names,
        board_ids: [...boardIds],
        ...(toBoardId !== undefined && { to_board_id: toBoardId }),
      }
      return this.#http.call(restoreFromTrash, { body, ...options })
    }
    return inPartsMerged(imageNames, send, MAX_NAMES_PER_REQUEST)
  }

  /**
   * Lists the trash, by default the most recently trashed images first.
   *
   * @param window - `offset`, `limit` and the order apply to items of the `kind`, by default images. `includeSize` adds
   *   their size in bytes.
   * @returns A page of images, and all trashed boards on every page.
   */
  list(
    window: {
      readonly offset: number
      readonly limit: number
      readonly orderBy?: TrashOrder | undefined
      readonly orderDir?: 'ASC' | 'DESC' | undefined
      readonly includeSize?: boolean | undefined
      readonly kind?: ItemKind | undefined
    },
    options: CallOptions = {},
  ): Promise<TrashPage> {
    const { orderBy, orderDir, includeSize, ...part } = window
    const query = {
      ...part,
      order_by: orderBy,
      order_dir: orderDir,
      ...(includeSize && { include_size: true }),
    }
    return this.#http.call(listTrash, { query, ...options })
  }

  /** Deletes everything in the trash permanently. */
  empty(options: CallOptions = {}): Promise<EmptyTrashResult> {
    return this.#http.call(emptyTrash, options)
  }
}
