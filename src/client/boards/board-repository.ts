import { orIfRefused } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import { type BoardChanges, UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { type Board, uncategorizedBoard } from './board.ts'
import { BoardHandle, type HandleParts } from './board-handle.ts'

/** Statuses of a failed board change. For these the specification wants false or null instead of an error. */
const FAILED_STATUSES = [403, 404, 422, 500]

/**
 * The boards of a server: creates, finds, changes and deletes them, and returns their handles.
 *
 * @example
 * const { boards } = connect({ baseUrl: 'http://127.0.0.1:9091' })
 * const portraits = (await boards.getBoardHandleByName('Portraits')) ?? (await boards.createBoard('Portraits'))
 */
export class BoardRepository {
  readonly #parts: HandleParts

  /** @internal */
  constructor(parts: HandleParts) {
    this.#parts = parts
  }

  /**
   * Lists all boards (`list_boards`), newest first. The uncategorized board comes before them.
   *
   * @param options.all - False omits private boards. The default is true.
   * @param options.includeUncategorized - The default is false.
   */
  async listBoards(
    options: CallOptions & {
      readonly all?: boolean | undefined
      readonly includeUncategorized?: boolean | undefined
    } = {},
  ): Promise<Board[]> {
    const { all = true, includeUncategorized = false, ...call } = options
    const boards = await this.#parts.boards.list(call)
    const visible = all ? boards : boards.filter((board) => !board.is_private)
    return includeUncategorized ? [await this.getUncategorizedBoard(call), ...visible] : visible
  }

  /**
   * Creates a board (`create_board`). Several boards may have the same name.
   *
   * @param options.isPrivate - The default is false.
   * @returns The handle of the new board.
   * @throws {RefusedError} `invalid_request`: the name is longer than 300 characters.
   */
  async createBoard(
    name: string,
    options: CallOptions & { readonly isPrivate?: boolean | undefined } = {},
  ): Promise<BoardHandle> {
    const { isPrivate = false, ...call } = options
    const board = await this.#parts.boards.create(name, { isPrivate, ...call })
    return new BoardHandle(this.#parts, board)
  }

  /**
   * Deletes a board permanently (`delete_board`).
   *
   * @param options.deleteImages - True deletes its images permanently; false makes them uncategorized. The
   *   default is false.
   * @returns false if nothing was deleted. For `none`, which cannot be deleted, no request is sent.
   */
  async deleteBoard(
    boardId: string,
    options: CallOptions & { readonly deleteImages?: boolean | undefined } = {},
  ): Promise<boolean> {
    if (boardId === UNCATEGORIZED_BOARD_ID) return false
    const { deleteImages = false, ...call } = options
    const result = this.#parts.boards.delete(boardId, { includeImages: deleteImages, ...call })
    return (await orIfRefused(result, null, ...FAILED_STATUSES)) !== null
  }

  /** Reads one board (`get_board_by_id`). Returns null if no board has this id. */
  async getBoardById(boardId: string, options: CallOptions = {}): Promise<Board | null> {
    if (boardId === UNCATEGORIZED_BOARD_ID) return this.getUncategorizedBoard(options)
    return orIfRefused(
      this.#parts.boards.get(boardId, options),
      null,
      'board_not_found',
      'not_found',
    )
  }

  /** Lists the boards with exactly this name (`get_boards_by_name`), newest first. The list may be empty. */
  async getBoardsByName(name: string, options: CallOptions = {}): Promise<Board[]> {
    return (await this.listBoards(options)).filter((board) => board.board_name === name)
  }

  /**
   * Returns the handle of a board (`get_board_handle`). `none` and null select the uncategorized board.
   *
   * @throws {RefusedError} `board_not_found`.
   */
  async getBoardHandle(boardId: string | null, options: CallOptions = {}): Promise<BoardHandle> {
    if (boardId === null || boardId === UNCATEGORIZED_BOARD_ID) return this.getUncategorizedHandle()
    return new BoardHandle(this.#parts, await this.#parts.boards.get(boardId, options))
  }

  /** Returns the handle of the first board with this name (`get_board_handle_by_name`), or null. */
  async getBoardHandleByName(name: string, options: CallOptions = {}): Promise<BoardHandle | null> {
    const [board] = await this.getBoardsByName(name, options)
    return board === undefined ? null : new BoardHandle(this.#parts, board)
  }

  /** Returns the uncategorized board (`get_uncategorized_board`). Its counts leave out intermediates. */
  async getUncategorizedBoard(options: CallOptions = {}): Promise<Board> {
    const [imageCount, videoCount] = await Promise.all([
      this.getUncategorizedHandle().getImageCount(options),
      this.#parts.boards.uncategorizedVideoCount(options),
    ])
    return uncategorizedBoard(imageCount, videoCount)
  }

  /** Returns the handle of the uncategorized board (`get_uncategorized_handle`). No request is sent. */
  getUncategorizedHandle(): BoardHandle {
    return new BoardHandle(this.#parts, uncategorizedBoard())
  }

  /**
   * Changes the given properties of a board (`update_board`). Absent and null properties stay unchanged.
   *
   * @returns null if the update failed.
   */
  async updateBoard(
    boardId: string,
    changes: {
      readonly name?: string | null | undefined
      readonly isPrivate?: boolean | null | undefined
    } = {},
    options: CallOptions = {},
  ): Promise<Board | null> {
    const { name = null, isPrivate = null } = changes
    if (name === null && isPrivate === null) return this.getBoardById(boardId, options)
    // InvokeAI refuses `is_private` in a change. Both servers accept `board_visibility`.
    const wireChanges: BoardChanges = {
      ...(name !== null && { board_name: name }),
      ...(isPrivate !== null && { board_visibility: isPrivate ? 'private' : 'shared' }),
    }
    const board = this.#parts.boards.update(boardId, wireChanges, options)
    return orIfRefused(board, null, ...FAILED_STATUSES)
  }

  /** Finds the exact name of an image for one with an additional or missing extension; else null. */
  async resolveImageName(imageName: string, options: CallOptions = {}): Promise<string | null> {
    if (imageName === '') return null
    const { images, boards } = this.#parts
    const stripped = withoutExtension(imageName)
    for (const name of new Set([imageName, stripped])) {
      if ((await images.get(name, options)) !== null) return name
    }
    const uncategorized = await boards.imageNames(UNCATEGORIZED_BOARD_ID, options)
    if (uncategorized.includes(imageName)) return imageName
    if (uncategorized.includes(stripped)) return stripped
    return uncategorized.find((name) => name.startsWith(stripped)) ?? null
  }
}

/** Returns the name without its extension. A leading dot does not start an extension. */
const withoutExtension = (imageName: string): string => {
  const dot = imageName.lastIndexOf('.')
  return dot > 0 ? imageName.slice(0, dot) : imageName
}
