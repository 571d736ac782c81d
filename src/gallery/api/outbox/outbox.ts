import { useSyncExternalStore } from 'react'
import type { Board } from '#client/index.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import { areCapabilitiesKnown, hasExtension } from '#gallery/api/connection/capabilities.ts'
import { queryClient } from '#gallery/api/connection/connection.ts'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { TRASH_VIEW } from '#gallery/api/images/image-windows.ts'
import { knownBoards, knownImages } from '#gallery/api/images/known-images.ts'
import { type Step, takeStep, worker } from './outbox-steps.ts'
import type { OutboxState } from './outbox-work.ts'
import { type Images, takeStepWith } from './rule-steps.ts'

/** How long something that cannot be undone on the server is held back for Undo, in milliseconds. */
export const UNDO_WINDOW_MS = 10_000

/** What is on its way to the server. */
export const useOutboxState = (): OutboxState =>
  useSyncExternalStore(
    (onChange) => worker.subscribe(onChange),
    () => worker.getState(),
  )

/** Calls back when a request got no answer. */
export function onOutboxFailure(listener: () => void): void {
  let failures = 0
  worker.subscribe(() => {
    const before = failures
    failures = worker.getState().failures
    if (failures > before) listener()
  })
}

/** Sends now what waits for the server to come back. */
export const retryOutbox = (): void => worker.retryNow()

/** Sends everything now, and waits for the answers, but not longer than that. */
export async function emptyOutbox(patienceMs: number): Promise<void> {
  worker.release()
  const isEmpty = () => worker.entries().length === 0
  await new Promise<void>((resolve) => {
    const stop = worker.subscribe(() => isEmpty() && end())
    const timer = setTimeout(() => end(), patienceMs)
    const end = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    if (isEmpty()) end()
  })
}

/** Forgets what was not sent. */
export const dropOutbox = (): void => worker.drop()

/** Gives images a star, or takes it. */
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
 * Moves images to the trash. On a server without one they are hidden at once, and deleted when the time
 * for Undo has passed.
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

/** Brings images back from the trash, to where they were. */
export const restoreImages = (images: Images): Step =>
  takeStepWith(images, (imageNames) => ({
    aspect: 'trashed',
    wanted: false,
    targets: imageNames,
    before: () => true,
  }))

/** Brings back everything that is in the trash. */
export function restoreTrash(trash: { total: number; boards: readonly Board[] }): void {
  for (const board of trash.boards) restoreBoard(board)
  if (trash.total === 0) return
  restoreImages({
    view: TRASH_VIEW,
    positions: Array.from({ length: trash.total }, (_, position) => position),
    names: () => queryClient.fetchQuery(imageQueries.names(TRASH_VIEW)),
  })
}

/**
 * Deletes for good what is in the trash, and what was sent there before and is still on its way. It cannot
 * be taken back.
 */
export function emptyTrash(): Step {
  return takeStep({
    aspect: 'trash_emptied',
    wanted: true,
    targets: [`emptied ${Date.now()}`],
    before: () => false,
    hasUndo: false,
  })
}

/** Gives a board another name. */
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

/** Moves a board to the trash. Its images become uncategorized, or go with it. Without a trash: as for images. */
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

/** Brings a board back from the trash, with the images that went with it. */
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

/** Until the server has told, nothing is deleted that the trash would have kept. */
const mayHaveTrash = (): boolean => hasExtension('trash') || !areCapabilitiesKnown()
