import { useQuery } from '@tanstack/react-query'
import {
  usePendingTrashedBoards,
  usePendingTrashedImages,
} from '#gallery/api/images/pending-trash.ts'
import { trashQueries } from '#gallery/api/trash/trash-cache.ts'

/**
 * Returns the boards and the number of images in the trash, including those that the server has not moved there yet.
 */
export function useTrash() {
  const { data } = useQuery(trashQueries.summary())
  return {
    isKnown: data !== undefined,
    total: data?.total ?? 0,
    boards: data?.boards ?? [],
    pendingImageCount: usePendingTrashedImages(),
    pendingBoardCount: usePendingTrashedBoards(),
  }
}
