import type { Board, BoardChanges, TesseraClient } from '#client/index.ts'
import { type BoardVisibility, UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { boardIdOf, isLive, recordsOf } from './not-as-left.ts'
import type { BoardAspect, UndoDetails, Value } from './outbox-state.ts'
import type { Parts } from './outbox-work.ts'
import { CHANGED, IMAGES_ADDED } from './skip-reasons.ts'

/** The operations that the requests of the outbox use. */
export type OutboxClient = Pick<
  TesseraClient,
  'boardOperations' | 'boards' | 'duplicates' | 'images' | 'trash'
>

/** Changes a board, for Undo and Redo only if it is as the action left it. */
export async function changeBoard(
  { boardOperations }: OutboxClient,
  boardId: string,
  change: { aspect: BoardAspect; wanted: Value; onlyIf?: Value | undefined },
): Promise<void> {
  if (change.onlyIf !== undefined) {
    const value = fieldOf(await boardOperations.get(boardId), change.aspect)
    if (value === change.wanted) return
    if (value !== change.onlyIf) throw new Error(CHANGED[change.aspect])
  }
  await boardOperations.update(boardId, boardChanges(change.aspect, change.wanted))
}

/** An empty cover is the automatic one. An empty position is that of a board that was never moved. */
function boardChanges(aspect: BoardAspect, value: Value): BoardChanges {
  switch (aspect) {
    case 'board_name':
      return { board_name: String(value) }
    case 'board_archived':
      return { archived: value === true }
    case 'board_visibility':
      return { board_visibility: value as BoardVisibility }
    case 'board_cover':
      return isVideoName(String(value))
        ? { cover_video_name: String(value) }
        : { cover_image_name: String(value) }
    case 'board_pinned':
      return { starred: value === true }
    case 'board_description':
      return { description: String(value) }
    case 'board_position':
      return { position: String(value) }
  }
}

/** Returns a board as the page shows it with the change. */
export function withChange(board: Board, aspect: BoardAspect, value: Value): Board {
  if (aspect !== 'board_cover') return { ...board, ...boardChanges(aspect, value) } as Board
  const chosen_cover_image_name = String(value) || null
  const none = { cover_image_name: null, cover_video_name: null }
  const cover = chosen_cover_image_name === null ? {} : boardChanges(aspect, value)
  return { ...board, ...none, ...cover, chosen_cover_image_name } as Board
}

/** InvokeAI does not say whether the cover was chosen. */
export function fieldOf(board: Board, aspect: BoardAspect): Value {
  switch (aspect) {
    case 'board_name':
      return board.board_name
    case 'board_archived':
      return board.archived
    case 'board_visibility':
      return board.board_visibility
    case 'board_cover': {
      const { chosen_cover_image_name: chosen, cover_image_name: shown } = board
      return (chosen === undefined ? shown : chosen) ?? ''
    }
    case 'board_pinned':
      return board.starred === true
    case 'board_description':
      return board.description ?? ''
    case 'board_position':
      return board.position ?? ''
  }
}

/** @throws {Error} The board has more images and videos than the action left on it, or another name or description. */
export async function assertAsLeft(
  { boardOperations }: OutboxClient,
  boardId: string,
  { maxImages, boardName, description }: UndoDetails,
): Promise<void> {
  if (maxImages === undefined) return
  const board = await boardOperations.get(boardId)
  if (itemCountOf(board) > maxImages) throw new Error(IMAGES_ADDED)
  if (boardName !== undefined && board.board_name !== boardName) throw new Error(CHANGED.board_name)
  if (description !== undefined && (board.description ?? '') !== description) {
    throw new Error(CHANGED.board_description)
  }
}

/**
 * Restores a board from the trash. The server restores the images that left it with the board. Some may have been moved
 * and moved back since, which the server does not know: `boardImages` returns them too.
 *
 * @throws {RefusedError} `board_not_found`: it was purged.
 */
export async function restoreBoard(
  client: OutboxClient,
  boardId: string,
  { boardImages }: UndoDetails,
  parts: Parts,
): Promise<void> {
  const { restored_boards, restored_images, returned_images } = await client.trash.restore({
    boardIds: [boardId],
  })
  // It was restored before, or it no longer exists.
  if (restored_boards.length === 0) await client.boardOperations.get(boardId)
  else parts.onBoardImages({ trashed: restored_images, kept: returned_images })
  const back = new Set([...restored_images, ...returned_images])
  const away = boardImages?.names.filter((name) => !back.has(name)) ?? []
  if (away.length === 0) return
  if (boardImages?.areTrashed) await client.trash.restore({ imageNames: away })
  const inAssets: string[] = []
  for await (const record of recordsOf(client, away)) {
    if (isLive(record) && boardIdOf(record) === UNCATEGORIZED_BOARD_ID) {
      inAssets.push(record.image_name)
    }
  }
  if (inAssets.length > 0) await client.images.move(inAssets, boardId)
}
