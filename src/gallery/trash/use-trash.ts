import { useQuery } from '@tanstack/react-query'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import {
  usePendingTrashedBoards,
  usePendingTrashedImages,
} from '#gallery/api/trash/pending-trash.ts'

/**
 * Returns the boards and the number of images in the trash, including those that the server has not moved there yet.
 */
export function useTrash() {
  const { trash } = useGallery()
  const { data } = useQuery(trash.summary())
  return {
    isKnown: data !== undefined,
    total: data?.total ?? 0,
    boards: data?.boards ?? [],
    pendingImageCount: usePendingTrashedImages(),
    pendingBoardCount: usePendingTrashedBoards(),
  }
}
