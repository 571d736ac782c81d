import type { FastifyRequest } from 'fastify'
import type { Account } from './accounts.ts'
import { userOf } from './auth-routes.ts'
import { DetailAnswer } from './fault.ts'
import type { Library, StoredBoard, StoredImage } from './library.ts'

/** True if a user may change a board: the owner and admins. Others may see it unless it is private. */
export const mayChange = (user: Account, board: StoredBoard): boolean =>
  user.is_admin || user.user_id === board.user_id

export const maySee = (user: Account, board: StoredBoard): boolean =>
  mayChange(user, board) || board.board_visibility !== 'private'

/** Permissions of users for images, which follow from the boards of the images. */
export class ImageRights {
  readonly #library: Library

  constructor(library: Library) {
    this.#library = library
  }

  maySee(user: Account, image: StoredImage): boolean {
    const board = this.#boardOf(image)
    const isSeenThere = board !== undefined && maySee(user, board)
    return user.is_admin || user.user_id === image.user_id || isSeenThere
  }

  /** Returns the images that the account may see. */
  seen(request: FastifyRequest, images: readonly StoredImage[]): StoredImage[] {
    return images.filter((image) => this.maySee(userOf(request), image))
  }

  /** @throws {DetailAnswer} 403: the account may not change one of the images. */
  assertChange(request: FastifyRequest, images: readonly StoredImage[]): void {
    if (images.every((image) => this.#mayChange(userOf(request), image))) return
    throw new DetailAnswer(403, 'Not authorized to modify this image')
  }

  /** @throws {DetailAnswer} 403: the account may not add images to the board. */
  assertAdd(request: FastifyRequest, boardId: string | null | undefined): void {
    const board = this.#library.boards.get(boardId ?? '')
    if (board === undefined || board.board_visibility === 'public') return
    if (!mayChange(userOf(request), board)) {
      throw new DetailAnswer(403, 'Not authorized to add images to this board')
    }
  }

  #mayChange(user: Account, image: StoredImage): boolean {
    const board = this.#boardOf(image)
    const isByBoard =
      board !== undefined && (mayChange(user, board) || board.board_visibility === 'public')
    return user.is_admin || user.user_id === image.user_id || isByBoard
  }

  #boardOf({ board_id }: StoredImage): StoredBoard | undefined {
    return board_id === null ? undefined : this.#library.boards.get(board_id)
  }
}
