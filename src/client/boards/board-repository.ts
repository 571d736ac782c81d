import { isRefused, RefusedError } from '#client/errors.ts'
import { resolveImageName } from '#client/images/resolve-image-name.ts'
import { type BoardChanges, UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { type Board, uncategorizedBoard } from './board.ts'
import { BoardHandle, type HandleParts } from './board-handle.ts'

/** Statuses with which a server says that a change of a board did not succeed (wire 11, row 21). */
const NOT_DONE_STATUSES = [403, 404, 422, 500]

const isNotDone = (error: unknown): boolean =>
  error instanceof RefusedError && NOT_DONE_STATUSES.includes(error.status)

/**
 * The boards of a server: their lifecycle, and the way to a handle (spec 4.2).
 *
 * @example
 * const { boards } = connect({ baseUrl: 'http://127.0.0.1:9091' })
 * const portraits = (await boards.getBoardHandleByName('Portraits')) ?? (await boards.createBoard('Portraits'))
 */
export class BoardRepository {
  readonly #parts: HandleParts

  constructor(parts: HandleParts) {
    this.#parts = parts
  }

  /**
   * All boards (`list_boards`), newest first, the uncategorized one before them.
   *
   * @param options.all - False leaves out private boards. The default is true.
   * @param options.includeUncategorized - The default is false.
   */
  async listBoards(
    options: {
      readonly all?: boolean | undefined
      readonly includeUncategorized?: boolean | undefined
    } = {},
  ): Promise<Board[]> {
    const { all = true, includeUncategorized = false } = options
    const boards = await this.#parts.boards.list()
    const visible = all ? boards : boards.filter((board) => !board.is_private)
    return includeUncategorized ? [await this.getUncategorizedBoard(), ...visible] : visible
  }

  /**
   * Creates a board (`create_board`). Several boards may share a name.
   *
   * @param options.isPrivate - The default is false.
   * @returns Its handle, usable at once.
   * @throws {RefusedError} `invalid_request`: the name is longer than 300 characters.
   */
  async createBoard(
    name: string,
    options: { readonly isPrivate?: boolean | undefined } = {},
  ): Promise<BoardHandle> {
    const { isPrivate = false } = options
    return new BoardHandle(this.#parts, await this.#parts.boards.create(name, { isPrivate }))
  }

  /**
   * Deletes a board for good (`delete_board`).
   *
   * @param options.deleteImages - True deletes its images for good; false makes them uncategorized. The default is false.
   * @returns false when nothing was deleted. For `none`, which cannot be deleted, without a call.
   */
  async deleteBoard(
    boardId: string,
    options: { readonly deleteImages?: boolean | undefined } = {},
  ): Promise<boolean> {
    if (boardId === UNCATEGORIZED_BOARD_ID) return false
    const { deleteImages = false } = options
    try {
      await this.#parts.boards.delete(boardId, { includeImages: deleteImages })
      return true
    } catch (error) {
      if (isNotDone(error)) return false
      throw error
    }
  }

  /** One board (`get_board_by_id`); null when there is none of this id. */
  async getBoardById(boardId: string): Promise<Board | null> {
    if (boardId === UNCATEGORIZED_BOARD_ID) return this.getUncategorizedBoard()
    try {
      return await this.#parts.boards.get(boardId)
    } catch (error) {
      if (isRefused(error, 'board_not_found', 'not_found')) return null
      throw error
    }
  }

  /** The boards of exactly this name (`get_boards_by_name`), newest first; may be empty. */
  async getBoardsByName(name: string): Promise<Board[]> {
    return (await this.listBoards()).filter((board) => board.board_name === name)
  }

  /**
   * The handle of a board (`get_board_handle`); `none` and null select the uncategorized one.
   *
   * @throws {RefusedError} `board_not_found`.
   */
  async getBoardHandle(boardId: string | null): Promise<BoardHandle> {
    if (boardId === null || boardId === UNCATEGORIZED_BOARD_ID) return this.getUncategorizedHandle()
    return new BoardHandle(this.#parts, await this.#parts.boards.get(boardId))
  }

  /** The handle of the first board of this name (`get_board_handle_by_name`); null when there is none. */
  async getBoardHandleByName(name: string): Promise<BoardHandle | null> {
    const [board] = await this.getBoardsByName(name)
    return board === undefined ? null : new BoardHandle(this.#parts, board)
  }

  /** The uncategorized board and how many images are on it (`get_uncategorized_board`), intermediates not counted. */
  async getUncategorizedBoard(): Promise<Board> {
    return uncategorizedBoard(await this.getUncategorizedHandle().getImageCount())
  }

  /** The handle of the uncategorized board (`get_uncategorized_handle`). */
  getUncategorizedHandle(): BoardHandle {
    return new BoardHandle(this.#parts, uncategorizedBoard())
  }

  /**
   * Changes what is given of a board (`update_board`); what is absent or null stays as it is.
   *
   * @returns null when the update did not succeed.
   */
  async updateBoard(
    boardId: string,
    changes: {
      readonly name?: string | null | undefined
      readonly isPrivate?: boolean | null | undefined
    } = {},
  ): Promise<Board | null> {
    const { name = null, isPrivate = null } = changes
    if (name === null && isPrivate === null) return this.getBoardById(boardId)
    // `is_private` in a change is refused by InvokeAI; both servers know the visibility (wire 11, row 3).
    const wireChanges: BoardChanges = {
      ...(name !== null && { board_name: name }),
      ...(isPrivate !== null && { board_visibility: isPrivate ? 'private' : 'shared' }),
    }
    try {
      return await this.#parts.boards.update(boardId, wireChanges)
    } catch (error) {
      if (isNotDone(error)) return null
      throw error
    }
  }

  /**
   * The exact name of an image whose name may have gained or lost its extension (spec 4.4).
   *
   * @returns null when nothing matches.
   */
  resolveImageName(imageName: string): Promise<string | null> {
    return resolveImageName(this.#parts.images, this.#parts.boards, imageName)
  }
}
