import { Archive, Globe, Users } from 'lucide-react'
import { useAccount } from '#gallery/api/account.ts'
import type { Board } from '#gallery/api/board-queries.ts'

/** What sets a board apart from the others: it is put away, or other accounts see it. Its menu says the same. */
export function BoardMarks({ board }: { board: Board }) {
  const hasAccounts = useAccount() !== null
  const isSeen = hasAccounts && board.board_visibility !== 'private'
  if (!board.archived && !isSeen) return null
  const Seen = board.board_visibility === 'public' ? Globe : Users
  return (
    <span aria-hidden className="flex shrink-0 gap-1 text-muted">
      {isSeen && <Seen size={14} strokeWidth={1.75} />}
      {board.archived && <Archive size={14} strokeWidth={1.75} />}
    </span>
  )
}
