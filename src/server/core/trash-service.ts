import type {
  EmptyTrashResult,
  RestoreResult,
  TrashPage,
  TrashResult,
} from '#contract/trash-operations.ts'
import { assertNamesFit } from './assert-names-fit.ts'
import type { FileRemoval } from './file-removal.ts'
import type { TrashBoardOptions, TrashRecords } from './record-ports.ts'
import { Refusal } from './refusal.ts'

/** The trash (extension): what is in it stands in no view and comes back as it was. */
export class TrashService {
  readonly #trash: TrashRecords
  readonly #removal: FileRemoval

  constructor(records: { trash: TrashRecords }, removal: FileRemoval) {
    this.#trash = records.trash
    this.#removal = removal
  }

  /** @throws {Refusal} `too_many_names`. Unknown names land in `failed_images`. */
  async trashImages(imageNames: readonly string[]): Promise<TrashResult> {
    assertNamesFit(imageNames)
    return this.#trash.trashImages(imageNames)
  }

  /** @throws {Refusal} `board_not_found`, for `none` as well. */
  async trashBoard(boardId: string, options: TrashBoardOptions): Promise<TrashResult> {
    const trashed = await this.#trash.trashBoard(boardId, options)
    if (trashed === null) throw new Refusal('board_not_found')
    return trashed
  }

  /** @throws {Refusal} `too_many_names`. What is not in the trash is left out. */
  async restore(what: {
    imageNames: readonly string[]
    boardIds: readonly string[]
  }): Promise<RestoreResult> {
    assertNamesFit(what.imageNames, what.boardIds)
    return this.#trash.restore(what)
  }

  page(window: { offset: number; limit: number }): Promise<TrashPage> {
    return this.#trash.page(window)
  }

  /** Deletes for good all that is in the trash. */
  async empty(): Promise<EmptyTrashResult> {
    const purged = await this.#trash.purge(Number.MAX_SAFE_INTEGER)
    this.#removal.request()
    return purged
  }
}
