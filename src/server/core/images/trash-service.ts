import type { RestoreResult } from '#contract/trash-operations.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import type {
  TrashBoardOptions,
  TrashImagesOptions,
  TrashRecords,
  TrashWindow,
} from '#server/core/record-ports.ts'
import { orRefuse } from '#server/core/refusal.ts'
import { assertNamesFit } from './image-ports.ts'

/**
 * Images of a board restored per unit of work. Other changes get their turn in between, and after a crash the next
 * request restores the rest.
 */
const IMAGES_PER_PART = 5_000

/** The trash, a Tessera extension. Items in the trash are in no view and can be restored unchanged. */
export class TrashService {
  readonly #trash: TrashRecords
  readonly #removal: FileRemoval

  constructor(records: { trash: TrashRecords }, removal: FileRemoval) {
    this.#trash = records.trash
    this.#removal = removal
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are in `failed_images`. */
  async trashImages(imageNames: readonly string[], options: TrashImagesOptions = {}) {
    assertNamesFit(imageNames)
    return this.#trash.trashImages(imageNames, options)
  }

  /** @throws {Refusal} `board_not_found`, also for `none`. */
  async trashBoard(boardId: string, options: TrashBoardOptions) {
    return orRefuse(await this.#trash.trashBoard(boardId, options), 'board_not_found')
  }

  /** @throws {Refusal} `too_many_names`, `board_not_found` (`toBoardId`). Names and boards outside the trash are skipped. */
  async restore(what: {
    imageNames: readonly string[]
    boardIds: readonly string[]
    toBoardId?: string | undefined
  }): Promise<RestoreResult> {
    assertNamesFit(what.imageNames, what.boardIds)
    const parts: RestoreResult[] = []
    const boards = { imageNames: [], boardIds: what.boardIds, maxImagesOfBoard: IMAGES_PER_PART }
    while (what.boardIds.length > 0) {
      const part = await this.#trash.restore(boards)
      if (part.affected_boards.length === 0) break
      parts.push(part)
    }
    // Boards first, so that an image trashed with its board is restored to it.
    parts.push(await this.#restoreImages(what))
    return {
      affected_boards: [...new Set(parts.flatMap((part) => part.affected_boards))],
      restored_images: parts.flatMap((part) => part.restored_images),
      restored_boards: parts.flatMap((part) => part.restored_boards),
      returned_images: parts.flatMap((part) => part.returned_images),
      images_by_board: parts.flatMap((part) => part.images_by_board),
    }
  }

  async #restoreImages({
    imageNames,
    toBoardId,
  }: {
    imageNames: readonly string[]
    toBoardId?: string | undefined
  }) {
    if (toBoardId === undefined) return this.#trash.restore({ imageNames, boardIds: [] })
    return orRefuse(await this.#trash.restoreTo(toBoardId, imageNames), 'board_not_found')
  }

  page(window: TrashWindow) {
    return this.#trash.page(window)
  }

  async empty() {
    const purged = await this.#trash.purge(Number.MAX_SAFE_INTEGER)
    this.#removal.request()
    return purged
  }
}
