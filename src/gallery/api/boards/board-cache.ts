import type { QueryClient } from '@tanstack/react-query'
import type { Board } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'

/** The query keys of boards. */
export const boardKeys = {
  all: () => ['boards'] as const,
  list: () => ['boards', 'list'] as const,
  uncategorizedCount: () => ['boards', 'uncategorized count'] as const,
  uncategorizedVideoCount: () => ['boards', 'uncategorized videos'] as const,
  starredCount: (boardId: string) => ['boards', 'starred count', boardId] as const,
}

/** An optimistic update of the boards. */
export interface BoardEdit {
  /** Changes the boards. Must be idempotent: the answer of the server may already contain the change. */
  readonly boards?: (boards: readonly Board[]) => readonly Board[]
  /** The change of the image count by board ID; `none` for uncategorized. */
  readonly counts?: ReadonlyMap<string, number>
}

interface Pending extends BoardEdit {
  isConfirmed: boolean
}

/** Ends an optimistic update. Call it to roll the update back, or call `settle` after the server has confirmed it. */
export interface Rollback {
  (): void
  settle(): void
}

/**
 * The boards of the server with the pending edits applied. Edits are applied to each answer, so that an answer from
 * before a change does not revert its optimistic update.
 */
export class BoardCache {
  readonly #client: QueryClient
  readonly #pending = new Set<Pending>()
  #boards: readonly Board[] | undefined
  #placeholderCount = 0
  /** Unknown boards that were requested once. If they are still unknown, they no longer exist. */
  readonly #requested = new Set<string>()
  #uncategorizedCount: number | undefined

  constructor(client: QueryClient) {
    this.#client = client
  }

  /** Returns a number that no other placeholder of a new board has. */
  nextPlaceholder(): number {
    this.#placeholderCount += 1
    return this.#placeholderCount
  }

  /** Applies an optimistic update. */
  edit(edit: BoardEdit): Rollback {
    const pending: Pending = { ...edit, isConfirmed: false }
    this.#pending.add(pending)
    this.#show()
    return Object.assign(
      () => {
        // The server has confirmed it. An Undo is a separate change.
        if (pending.isConfirmed) return
        this.#pending.delete(pending)
        this.#show()
      },
      {
        settle: () => {
          pending.isConfirmed = true
        },
      },
    )
  }

  /** Fetches the boards and applies the pending edits. */
  async list(ask: () => Promise<readonly Board[]>): Promise<readonly Board[]> {
    const confirmed = this.#confirmed()
    const boards = await ask()
    this.#forget(confirmed, 'boards')
    this.#boards = boards
    return this.#shownBoards(boards)
  }

  /** Fetches the number of uncategorized images and applies the pending edits. */
  async uncategorizedCount(ask: () => Promise<number>): Promise<number> {
    const confirmed = this.#confirmed()
    const count = await ask()
    this.#forget(confirmed, 'uncategorized')
    this.#uncategorizedCount = count
    return this.#shownCount(count)
  }

  /** Returns a board from the last answer, without pending edits. */
  boardOnServer(boardId: string): Board | undefined {
    return this.#boards?.find(({ board_id }) => board_id === boardId)
  }

  /** Refetches the boards if one of the IDs is unknown, because another client has created it. */
  loadUnknown(boardIds: Iterable<string>): void {
    const boards = this.#client.getQueryData<readonly Board[]>(boardKeys.list())
    if (boards === undefined) return
    const known = new Set(boards.map(({ board_id }) => board_id))
    const isUnknown = (id: string) => id !== 'none' && !known.has(id) && !this.#requested.has(id)
    const unknown = [...boardIds].filter(isUnknown)
    if (unknown.length === 0) return
    for (const id of unknown) this.#requested.add(id)
    void this.#client.invalidateQueries({ queryKey: boardKeys.list() })
  }

  /** Returns the confirmed edits. The answer to a request that is sent now contains them. */
  #confirmed(): Pending[] {
    return [...this.#pending].filter(({ isConfirmed }) => isConfirmed)
  }

  /** The answers that contain a confirmed edit. */
  readonly #contained = new Map<Pending, Set<string>>()

  /** Removes confirmed edits that both answers contain: the boards, and the uncategorized count. */
  #forget(confirmed: Pending[], by: 'boards' | 'uncategorized'): void {
    for (const edit of confirmed) {
      const answers = this.#contained.get(edit) ?? new Set()
      this.#contained.set(edit, answers.add(by))
      if (answers.size < 2) continue
      this.#pending.delete(edit)
      this.#contained.delete(edit)
    }
  }

  #show(): void {
    const boards = this.#boards
    if (boards) this.#client.setQueryData(boardKeys.list(), this.#shownBoards(boards))
    const count = this.#uncategorizedCount
    if (count !== undefined) {
      this.#client.setQueryData(boardKeys.uncategorizedCount(), this.#shownCount(count))
    }
  }

  #shownBoards(boards: readonly Board[]): readonly Board[] {
    let shown = boards
    for (const edit of this.#pending) {
      if (this.#contained.get(edit)?.has('boards')) continue
      if (edit.boards) shown = edit.boards(shown)
      const { counts } = edit
      if (counts) shown = shown.map((board) => withCount(board, counts.get(board.board_id)))
    }
    return shown
  }

  #shownCount(count: number): number {
    let shown = count
    for (const edit of this.#pending) {
      if (this.#contained.get(edit)?.has('uncategorized')) continue
      shown += edit.counts?.get(UNCATEGORIZED_BOARD_ID) ?? 0
    }
    return Math.max(0, shown)
  }
}

const withCount = (board: Board, more = 0): Board =>
  more === 0 ? board : { ...board, image_count: Math.max(0, board.image_count + more) }
