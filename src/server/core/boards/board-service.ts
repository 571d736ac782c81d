import {
  type Board,
  type BoardChanges,
  type DeleteBoardResult,
  UNCATEGORIZED_BOARD_ID,
} from '#contract/board.ts'
import { isOrderKey } from '#contract/order-key.ts'
import type { JsonText, View } from '#server/core/images/image-ports.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import type { Records } from '#server/core/record-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'

/** Reads and changes boards, with the rules of InvokeAI's API. */
export class BoardService {
  readonly #boards: Records['boards']
  readonly #images: Records['images']
  readonly #removal: FileRemoval

  constructor(records: Pick<Records, 'boards' | 'images'>, removal: FileRemoval) {
    this.#boards = records.boards
    this.#images = records.images
    this.#removal = removal
  }

  /** @throws {Refusal} `board_not_found`, also for `none`. */
  async get(boardId: string): Promise<Board> {
    return orRefuse(await this.#boards.get(boardId), 'board_not_found')
  }

  create(board: { board_name: string; is_private?: boolean | undefined }): Promise<Board> {
    return this.#boards.create({
      board_name: board.board_name,
      board_visibility: board.is_private === true ? 'private' : 'shared',
    })
  }

  /** @throws {Refusal} `board_not_found`, `cover_image_not_found`, `invalid_position`. Nothing was changed. */
  async update(boardId: string, changes: BoardChanges): Promise<Board> {
    if (changes.position && !isOrderKey(changes.position)) throw new Refusal('invalid_position')
    const updated = await this.#boards.update(boardId, changes)
    if (updated === 'cover_image_not_found') throw new Refusal('cover_image_not_found')
    return orRefuse(updated, 'board_not_found')
  }

  /**
   * Permanently deletes a board. Its images become uncategorized or are deleted too.
   *
   * @throws {Refusal} `board_not_found`, also for `none`.
   */
  async delete(
    boardId: string,
    options: { images: 'keep' | 'delete' },
  ): Promise<DeleteBoardResult> {
    if (boardId === UNCATEGORIZED_BOARD_ID) throw new Refusal('board_not_found')
    const deleted = orRefuse(await this.#boards.remove(boardId, options), 'board_not_found')
    if (options.images === 'delete') this.#removal.request()
    return deleted
  }

  /**
   * Returns the image names of a board, by default of every image, newest first.
   *
   * @throws {Refusal} `board_not_found`, never for `none`.
   */
  async imageNames(
    boardId: string,
    view: Partial<Omit<View, 'boardId'>> = {},
    window?: { offset: number; limit: number },
  ): Promise<JsonText> {
    const newestFirst = { orderBy: 'created_at', orderDir: 'DESC', starredFirst: false } as const
    const names = await this.#images.namesOnBoard({ ...newestFirst, ...view, boardId }, window)
    return orRefuse(names, 'board_not_found')
  }
}
