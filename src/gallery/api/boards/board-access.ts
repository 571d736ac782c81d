import type { QueryClient } from '@tanstack/react-query'
import type { UserAccount } from '#gallery/api/connection/account.ts'
import type { Board } from './board-queries.ts'

interface AccessApi {
  readonly queryClient: QueryClient
  readonly account: Pick<UserAccount, 'query'>
}

/** Returns true if the signed-in account may change this board, or if the server has no accounts. */
export function canChangeBoard({ queryClient, account }: AccessApi, board: Board): boolean {
  const user = queryClient.getQueryData(account.query.queryKey) ?? null
  return user === null || user.is_admin || user.user_id === board.user_id
}
