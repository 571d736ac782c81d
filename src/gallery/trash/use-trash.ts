import { useQuery } from '@tanstack/react-query'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import {
  usePendingTrashedBoards,
  usePendingTrashedImages,
} from '#gallery/api/trash/pending-trash.ts'

/** Returns the boards and image count of the trash, and the pending ones that it does not contain yet. */
export function useTrash() {
  const { trash } = useGallery()
  const { data } = useQuery(trash.summary())
  return {
    isKnown: data !== undefined,
    total: data?.total ?? 0,
    noun: data?.noun ?? 'image',
    boards: data?.boards ?? [],
    pendingImageCount: usePendingTrashedImages(),
    pendingBoardCount: usePendingTrashedBoards(),
  }
}
