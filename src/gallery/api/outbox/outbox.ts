import { useSyncExternalStore } from 'react'
import type { Board } from '#client/index.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { TRASH_VIEW } from '#gallery/api/images/image-windows.ts'
import { knownBoards, knownImages } from '#gallery/api/images/known-images.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { type Step, takeStep, worker } from './outbox-steps.ts'
import type { OutboxState } from './outbox-work.ts'
import { type Images, takeStepWith } from './rule-steps.ts'

/** The delay before a permanent deletion is sent, in milliseconds. The server cannot undo it, so Undo cancels it. */
export const UNDO_WINDOW_MS = 10_000

/** Returns the state of the outbox. Re-renders when it changes. */
export const useOutboxState = (): OutboxState =>
  useSyncExternalStore(
    (onChange) => worker.subscribe(onChange),
    () => worker.getState(),
  )

/** Calls the listener when a request got no answer. */
export function onOutboxFailure(listener: () => void): void {
  let failures = 0
  worker.subscribe(() => {
    const before = failures
    failures = worker.getState().failures
    if (failures > before) listener()
  })
}

/** Retries the unanswered request at once. */
export const retryOutbox = (): void => worker.retryNow()

/** Sends all pending changes and waits for the answers, for at most `timeoutMs`. */
export async function flushOutbox(timeoutMs: number): Promise<void> {
  worker.release()
  const isEmpty = () => worker.entries().length === 0
  await new Promise<void>((resolve) => {
    const stop = worker.subscribe(() => isEmpty() && end())
    const timer = setTimeout(() => end(), timeoutMs)
    const end = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    if (isEmpty()) end()
  })
}

/** Discards the changes that are not sent yet. */
export const dropOutbox = (): void => worker.drop()

/** Stars or unstars images. */
export const starImages = (images: Images, starred: boolean): Step =>
  takeStepWith(images, (imageNames) => {
    const known = knownImages(imageNames)
    return {
      aspect: 'starred',
      wanted: starred,
      targets: imageNames,
      before: (name) => known.get(name)?.starred,
    }
  })

/** Moves images to a board; `none` makes them uncategorized. */
export const moveImages = (images: Images, boardId: string): Step =>
  takeStepWith(images, (imageNames) => {
    const boards = knownBoards(imageNames)
    return {
      aspect: 'board',
      wanted: boardId,
      targets: imageNames,
      before: (name) => boards.get(name),
      boards,
      boardName: boardNameOf(boardId),
    }
  })

/**
 * Moves images to the trash. A server without a trash deletes them permanently after {@link UNDO_WINDOW_MS}. They
 * disappear from the views at once.
 */
export function trashImages(images: Images): Step {
  const hasTrash = mayHaveTrash()
  return takeStepWith(images, (imageNames) => ({
    aspect: hasTrash ? 'trashed' : 'deleted',
    wanted: true,
    targets: imageNames,
    before: () => false,
    boards: knownBoards(imageNames),
    ...(!hasTrash && { heldMs: UNDO_WINDOW_MS }),
  }))
}

/** Restores images from the trash to their boards. */
export const restoreImages = (images: Images): Step =>
  takeStepWith(images, (imageNames) => ({
    aspect: 'trashed',
    wanted: false,
    targets: imageNames,
    before: () => true,
  }))

/** Restores all images and boards in the trash. */
export function restoreTrash(trash: { total: number; boards: readonly Board[] }): void {
  for (const board of trash.boards) restoreBoard(board)
  if (trash.total === 0) return
  restoreImages({
    view: TRASH_VIEW,
    positions: Array.from({ length: trash.total }, (_, position) => position),
    names: () => theGallery.queryClient.fetchQuery(imageQueries.names(TRASH_VIEW)),
  })
}

/** Permanently deletes all items in the trash, including pending ones. There is no Undo. */
export function emptyTrash(): Step {
  return takeStep({
    aspect: 'trash_emptied',
    wanted: true,
    targets: [`emptied ${Date.now()}`],
    before: () => false,
    hasUndo: false,
  })
}

export function renameBoard(board: Board, boardName: string): Step {
  return takeStep({
    aspect: 'board_name',
    wanted: boardName,
    targets: [board.board_id],
    before: () => board.board_name,
    board,
    boardName,
  })
}

/**
 * Moves a board to the trash. With `keep` its images become uncategorized, with `delete` they move to the trash too.
 * A server without a trash deletes them permanently after {@link UNDO_WINDOW_MS}.
 */
export function trashBoard(board: Board, images: 'keep' | 'delete'): Step {
  const hasTrash = mayHaveTrash()
  return takeStep({
    aspect: hasTrash ? 'board_trashed' : 'board_deleted',
    wanted: images === 'keep' ? 'without images' : 'with images',
    targets: [board.board_id],
    before: () => false,
    board,
    boardName: board.board_name,
    ...(!hasTrash && { heldMs: UNDO_WINDOW_MS }),
  })
}

/** Restores a board from the trash, with the images that were deleted with it. */
export function restoreBoard(board: Board): Step {
  return takeStep({
    aspect: 'board_trashed',
    wanted: false,
    targets: [board.board_id],
    before: () => 'without images',
    board,
    boardName: board.board_name,
  })
}

/** True until the capabilities are known, so that no image is deleted permanently on a server with a trash. */
const mayHaveTrash = (): boolean =>
  theGallery.capabilities.has('trash') || !theGallery.capabilities.areKnown
