import {
  type Board,
  type BoardChanges,
  type DeleteBoardResult,
  UNCATEGORIZED_BOARD_ID,
} from '#contract/board.ts'
import type { JsonText, View } from '#server/core/images/image-ports.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import type { BoardRecords, Records } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'

/** What the wire asks of boards (wire 1), under the resolutions of wire 11. */
export class BoardService {
  readonly #boards: Records['boards']
  readonly #images: Records['images']
  readonly #removal: FileRemoval

  constructor(records: Pick<Records, 'boards' | 'images'>, removal: FileRemoval) {
    this.#boards = records.boards
    this.#images = records.images
    this.#removal = removal
  }

  /** `page` absent: all. `total` counts all boards that match. */
  list(options: Parameters<BoardRecords['list']>[0]): Promise<{ items: Board[]; total: number }> {
    return this.#boards.list(options)
  }

  /** @throws {Refusal} `board_not_found`, for `none` as well. */
  async get(boardId: string): Promise<Board> {
    return found(await this.#boards.get(boardId))
  }

  create(board: { board_name: string; is_private?: boolean | undefined }): Promise<Board> {
    return this.#boards.create({
      board_name: board.board_name,
      board_visibility: board.is_private === true ? 'private' : 'shared',
    })
  }

  /** @throws {Refusal} `board_not_found`; `cover_image_not_found`, and nothing was changed. */
  async update(boardId: string, changes: BoardChanges): Promise<Board> {
    const updated = await this.#boards.update(boardId, changes)
    if (updated === 'cover_image_not_found') throw new Refusal('cover_image_not_found')
    return found(updated)
  }

  /**
   * Deletes a board for good; its images become uncategorized unless the caller wants them gone (spec 3).
   *
   * @throws {Refusal} `board_not_found`, for `none` as for any id that no board has (wire 11, row 10).
   */
  async delete(
    boardId: string,
    options: { images: 'keep' | 'delete' },
  ): Promise<DeleteBoardResult> {
    if (boardId === UNCATEGORIZED_BOARD_ID) throw new Refusal('board_not_found')
    const deleted = found(await this.#boards.remove(boardId, options))
    if (options.images === 'delete') this.#removal.request()
    return deleted
  }

  /**
   * `board_id/image_names`: every image of the board unless filtered, newest first unless asked otherwise.
   *
   * @throws {Refusal} `board_not_found`, never for `none`.
   */
  async imageNames(
    boardId: string,
    view: Partial<Omit<View, 'boardId'>> = {},
    window?: { offset: number; limit: number },
  ): Promise<JsonText> {
    const newestFirst = { orderBy: 'created_at', orderDir: 'DESC', starredFirst: false } as const
    return found(await this.#images.namesOnBoard({ ...newestFirst, ...view, boardId }, window))
  }
}

const found = <T>(board: T | null): T => {
  if (board === null) throw new Refusal('board_not_found')
  return board
}
