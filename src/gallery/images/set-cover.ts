import type { ImageRecord } from '#contract/image.ts'
import { canChangeBoard } from '#gallery/api/boards/board-access.ts'
import { type Board, boardById } from '#gallery/api/boards/board-queries.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'

/** Returns true if an image can become the cover of its board: the user may change the board. InvokeAI takes no video. */
export function canSetCover(api: GalleryApi, image: ImageRecord | null): boolean {
  if (image?.video && !api.capabilities.has('video_covers')) return false
  const board = boardOf(api, image)
  return board !== undefined && canChangeBoard(api, board)
}

const boardOf = (api: GalleryApi, image: ImageRecord | null): Board | undefined =>
  image?.board_id ? boardById(api.queryClient, image.board_id) : undefined

/** Makes an image or a video the cover of its board, if it can be. */
export function setCover(api: GalleryApi, image: ImageRecord): void {
  const board = boardOf(api, image)
  if (board && canSetCover(api, image))
    api.outbox.changeBoard(board, 'board_cover', image.image_name)
}
