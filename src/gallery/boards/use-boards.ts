import { skipToken, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { STARRED } from '#gallery/url/place.ts'
import { ALL_BOARDS, DUPLICATES, TRASH } from '#gallery/url/place-order.ts'

/** Returns all boards; undefined until they are loaded. */
export const useBoards = (): readonly Board[] | undefined =>
  useQuery(useGallery().boardQueries.list()).data

/**
 * Returns all boards. While one is renamed, it stays as it was, so that its row stays where it is: another client may
 * rename it, move it in the list, or delete it.
 *
 * @param renamedId - null: no board is renamed.
 */
export function useListedBoards(renamedId: string | null): readonly Board[] | undefined {
  const boards = useBoards()
  const [renamed, setRenamed] = useState<Board | null>(null)
  const found = boards?.find(({ board_id }) => board_id === renamedId)
  if (renamedId === null ? renamed !== null : found && renamed?.board_id !== renamedId) {
    setRenamed(found ?? null)
  }
  return useMemo(() => {
    if (boards === undefined || renamed === null) return boards
    return [...boards.filter(({ board_id }) => board_id !== renamed.board_id), renamed]
  }, [boards, renamed])
}

/** Returns the number of images and videos on no board; undefined until it is loaded. */
export const useUncategorizedCount = (): number | undefined =>
  useQuery(useGallery().boardQueries.uncategorizedCount()).data

/** Returns the number of images and videos in a place; undefined until it is loaded, and for the trash. */
export function useItemCount(place: string): number | undefined {
  const boards = useBoards()
  const uncategorized = useUncategorizedCount()
  if (place === UNCATEGORIZED_BOARD_ID) return uncategorized
  if (place !== ALL_BOARDS) {
    const board = boards?.find(({ board_id }) => board_id === place)
    return board && itemCountOf(board)
  }
  if (boards === undefined || uncategorized === undefined) return undefined
  return boards.reduce((sum, board) => sum + itemCountOf(board), uncategorized)
}

/** Returns the number of videos in a place, for the word for its items; all of them for the starred ones. */
export function useVideoCount(place: string): number {
  const boards = useBoards()
  const isEverywhere = place === ALL_BOARDS || place === STARRED
  const { data: uncategorized = 0 } = useQuery<number>({
    queryKey: boardKeys.uncategorizedVideoCount(),
    queryFn: skipToken,
  })
  if (place === UNCATEGORIZED_BOARD_ID) return uncategorized
  const here = boards?.filter(({ board_id }) => isEverywhere || board_id === place) ?? []
  const onBoards = here.reduce((sum, { video_count }) => sum + video_count, 0)
  return isEverywhere ? onBoards + uncategorized : onBoards
}

/** Returns the name of a place; null for a board that is unknown or not loaded. */
export function useBoardName(boardId: string): string | null {
  const boards = useBoards()
  const hasStarred = useHasExtension('starred_filter')
  const hasDuplicates = useHasExtension('duplicates')
  if (boardId === ALL_BOARDS) return 'All images'
  if (boardId === STARRED) return hasStarred ? 'Starred' : null
  if (boardId === DUPLICATES) return hasDuplicates ? 'Duplicates' : null
  if (boardId === TRASH) return 'Trash'
  return nameOf(boards, boardId)
}

/** True if no board has this ID. False until the boards are loaded. */
export function useIsBoardMissing(boardId: string): boolean {
  const areKnown = useBoards() !== undefined
  return useBoardName(boardId) === null && areKnown
}

/** Returns a function for names of boards by ID; `a board` for an unknown one. */
export function useBoardNames(): (boardId: string) => string {
  const boards = useBoards()
  return useCallback((boardId) => nameOf(boards, boardId) ?? 'a board', [boards])
}

function nameOf(boards: readonly Board[] | undefined, boardId: string): string | null {
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  return boards?.find(({ board_id }) => board_id === boardId)?.board_name ?? null
}
