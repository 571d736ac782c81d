import type { QueryClient } from '@tanstack/react-query'
import type { Board } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import {
  type EditedAnswer,
  PendingEdits,
  type Rollback,
} from '#gallery/api/answer/pending-edits.ts'
import { withMoreItems } from '#gallery/api/images/noun.ts'

export const boardKeys = {
  all: () => ['boards'] as const,
  list: () => ['boards', 'list'] as const,
  uncategorizedCount: () => ['boards', 'uncategorized count'] as const,
  /** Set with the count above. Not below `boards`, because nothing fetches it alone. */
  uncategorizedVideoCount: () => ['uncategorized videos'] as const,
  /** Below `boards`, so that the counts of saved searches are fetched with those of boards. */
  searchCounts: () => ['boards', 'search counts'] as const,
  starredCount: (boardId: string) => ['boards', 'starred count', boardId] as const,
}

/** An optimistic update of the boards. */
export interface BoardEdit {
  /** Changes the boards. Must be idempotent: the answer of the server may already contain the change. */
  readonly boards?: (boards: readonly Board[]) => readonly Board[]
  /** The change of the number of images and videos by board ID; `none` for uncategorized. */
  readonly counts?: ReadonlyMap<string, number>
}

/** The boards of the server, with the edits that it has not confirmed. */
export class BoardCache {
  readonly #queryClient: QueryClient
  readonly boards: EditedAnswer<readonly Board[]>
  readonly uncategorizedCount: EditedAnswer<number>
  readonly edit: (edit: BoardEdit) => Rollback
  /** Unknown boards that were requested once. If they are still unknown, they no longer exist. */
  readonly #requested = new Set<string>()
  #placeholderCount = 0

  constructor(queryClient: QueryClient) {
    const edits = new PendingEdits<BoardEdit>(queryClient)
    this.#queryClient = queryClient
    this.boards = edits.answer(boardKeys.list(), editBoards)
    this.uncategorizedCount = edits.answer(boardKeys.uncategorizedCount(), editCount)
    this.edit = edits.edit
    queryClient.setQueryDefaults(boardKeys.uncategorizedVideoCount(), {
      gcTime: Number.POSITIVE_INFINITY,
    })
  }

  /** Returns a number that no other placeholder of a new board has. */
  nextPlaceholder(): number {
    this.#placeholderCount += 1
    return this.#placeholderCount
  }

  /** Refetches the boards if one of the IDs is unknown, because another client has created it. */
  loadUnknown(boardIds: Iterable<string>): void {
    const boards = this.#queryClient.getQueryData<readonly Board[]>(boardKeys.list())
    if (boards === undefined) return
    const known = new Set(boards.map(({ board_id }) => board_id))
    const isUnknown = (id: string) => id !== 'none' && !known.has(id) && !this.#requested.has(id)
    const unknown = [...boardIds].filter(isUnknown)
    if (unknown.length === 0) return
    for (const id of unknown) this.#requested.add(id)
    void this.#queryClient.invalidateQueries({ queryKey: boardKeys.list() })
  }
}

const editBoards = (boards: readonly Board[], edits: readonly BoardEdit[]): readonly Board[] =>
  edits.reduce((before, { boards: edit, counts }) => {
    const after = edit ? edit(before) : before
    return counts ? after.map((board) => withCount(board, counts.get(board.board_id))) : after
  }, boards)

const editCount = (count: number, edits: readonly BoardEdit[]): number => {
  const more = edits.map(({ counts }) => counts?.get(UNCATEGORIZED_BOARD_ID) ?? 0)
  return Math.max(
    0,
    more.reduce((sum, one) => sum + one, count),
  )
}

const withCount = (board: Board, more = 0): Board =>
  more === 0 ? board : withMoreItems(board, more)
