import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import type { Board } from './board-queries.ts'

/** Returns true if the signed-in account may change this board, or if the server has no accounts. */
export function canChangeBoard(
  { queryClient, account }: Pick<GalleryApi, 'queryClient' | 'account'>,
  board: Board,
): boolean {
  const user = queryClient.getQueryData(account.query.queryKey) ?? null
  return user === null || user.is_admin || user.user_id === board.user_id
}
