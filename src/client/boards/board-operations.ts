import { orIfRefused } from '#client/errors.ts'
import type { ServerOperations } from '#client/server-operations.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import type { BoardChanges, BoardsPage, DeleteBoardResult } from '#contract/board.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import {
  createBoard,
  deleteBoard,
  getBoard,
  listBoardImageNames,
  listBoards,
  updateBoard,
} from '#contract/board-operations.ts'
import { listVideos } from '#contract/videos/video-operations.ts'
import { type Board, type BoardAnswer, boardOfAnswer, isInvokeAiBoard } from './board.ts'

/** Order and filter of `list`. */
export interface ListBoardsOptions extends CallOptions {
  /** The default is `created_at`. */
  readonly orderBy?: 'created_at' | 'board_name' | undefined
  /** The default is `DESC`. */
  readonly direction?: 'ASC' | 'DESC' | undefined
  /** The default is false. */
  readonly includeArchived?: boolean | undefined
}

/**
 * Plain board requests, for callers that need the response or the refusal. `BoardRepository` implements the
 * specification's operations on top of them.
 */
export class BoardOperations {
  readonly #http: Http
  readonly #server: ServerOperations

  /** @internal */
  constructor(http: Http, server: ServerOperations) {
    this.#http = http
    this.#server = server
  }

  /** Lists all boards except the uncategorized one. */
  async list(options: ListBoardsOptions = {}): Promise<Board[]> {
    const { orderBy, direction, includeArchived, ...call } = options
    // InvokeAI refuses `all=false` without paging parameters.
    const query = { all: true, order_by: orderBy, direction, include_archived: includeArchived }
    const answer = await this.#http.call(listBoards, { query, ...call })
    const boards: BoardAnswer[] = Array.isArray(answer) ? answer : (answer as BoardsPage).items
    const isMultiUser = boards.some(isInvokeAiBoard) && (await this.#server.isMultiUser())
    return boards.map((board) => boardOfAnswer(board, isMultiUser))
  }

  /**
   * Reads a board.
   *
   * @throws {RefusedError} `board_not_found`, also for `none`.
   */
  async get(boardId: string, options: CallOptions = {}): Promise<Board> {
    return this.#complete(
      await this.#http.call(getBoard, { params: { board_id: boardId }, ...options }),
    )
  }

  /**
   * Creates a board. Several boards may have the same name.
   *
   * @param options.isPrivate - Absent: the server's default, false.
   * @throws {RefusedError} `invalid_request`: the name is longer than 300 characters.
   */
  async create(
    boardName: string,
    options: CallOptions & { readonly isPrivate?: boolean | undefined } = {},
  ): Promise<Board> {
    const { isPrivate, ...call } = options
    const query = { board_name: boardName, is_private: isPrivate }
    return this.#complete(await this.#http.call(createBoard, { query, ...call }))
  }

  /**
   * Changes the given properties of a board. `description` and `starred` are extensions.
   *
   * @returns The updated board.
   * @throws {RefusedError} `board_not_found`, `cover_image_not_found`, `invalid_request`.
   */
  async update(boardId: string, changes: BoardChanges, options: CallOptions = {}): Promise<Board> {
    const params = { board_id: boardId }
    return this.#complete(await this.#http.call(updateBoard, { params, body: changes, ...options }))
  }

  /**
   * Deletes a board permanently. Its images become uncategorized unless `includeImages` is true.
   *
   * @throws {RefusedError} `board_not_found`, also for `none`.
   */
  delete(
    boardId: string,
    options: CallOptions & { readonly includeImages?: boolean | undefined } = {},
  ): Promise<DeleteBoardResult> {
    const { includeImages, ...call } = options
    const params = { board_id: boardId }
    const query = { include_images: includeImages }
    return this.#http.call(deleteBoard, { params, query, ...call })
  }

  /** Lists the names of all images on a board (`none` for uncategorized), including intermediates. */
  imageNames(boardId: string, options: CallOptions = {}): Promise<string[]> {
    return this.#http.call(listBoardImageNames, { params: { board_id: boardId }, ...options })
  }

  /** Counts the uncategorized videos. Returns 0 for a server without videos. */
  async uncategorizedVideoCount(options: CallOptions = {}): Promise<number> {
    const query = { board_id: UNCATEGORIZED_BOARD_ID, is_intermediate: false, limit: 0 }
    const page = this.#http.call(listVideos, { query, ...options })
    return (await orIfRefused(page, { total: 0 }, 404)).total
  }

  async #complete(answer: BoardAnswer): Promise<Board> {
    return boardOfAnswer(answer, isInvokeAiBoard(answer) && (await this.#server.isMultiUser()))
  }
}
