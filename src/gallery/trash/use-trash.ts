import { useQuery } from '@tanstack/react-query'
import {
  useBoardsComingToTrash,
  useImagesComingToTrash,
} from '#gallery/api/images/coming-to-trash.ts'
import { trashQueries } from '#gallery/api/trash/trash-cache.ts'

/** The boards in the trash, the number of images there, and what the server has not moved there yet. */
export function useTrash() {
  const { data } = useQuery(trashQueries.summary())
  return {
    isKnown: data !== undefined,
    total: data?.total ?? 0,
    boards: data?.boards ?? [],
    imagesComing: useImagesComingToTrash(),
    boardsComing: useBoardsComingToTrash(),
  }
}
