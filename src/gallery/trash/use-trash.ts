import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useBoardsComingToTrash, useImagesComingToTrash } from '#gallery/api/coming-to-trash.ts'
import { trashQueries } from '#gallery/api/trash-queries.ts'

/** What is in the trash, as far as it was looked at. */
export function useTrash() {
  const query = useInfiniteQuery(trashQueries.list())
  const imagesComing = useImagesComingToTrash()
  const boardsComing = useBoardsComingToTrash()
  const pages = query.data?.pages
  return useMemo(
    () => ({
      query,
      images: pages?.flatMap(({ items }) => items) ?? [],
      boards: pages?.at(-1)?.boards ?? [],
      /** Images in the trash; undefined while that is not known. */
      imageCount: pages?.at(-1)?.total,
      /** What was sent there and has not arrived. */
      imagesComing,
      boardsComing,
    }),
    [query, pages, imagesComing, boardsComing],
  )
}
