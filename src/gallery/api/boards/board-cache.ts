import type { QueryClient } from '@tanstack/react-query'
import type { Board } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'

/** The one place that spells the keys of boards. */
export const boardKeys = {
  all: () => ['boards'] as const,
  list: () => ['boards', 'list'] as const,
  uncategorizedCount: () => ['boards', 'uncategorized count'] as const,
  uncategorizedVideoCount: () => ['boards', 'uncategorized videos'] as const,
  starredCount: (boardId: string) => ['boards', 'starred count', boardId] as const,
}

/** What a change that is not confirmed yet does to the boards that are shown. */
export interface BoardEdit {
  /** Makes other boards of them. It may meet boards that have been changed that way already. */
  readonly boards?: (boards: readonly Board[]) => readonly Board[]
  /** Images that come to a board or leave it; `none` for uncategorized. */
  readonly counts?: ReadonlyMap<string, number>
}

interface Pending extends BoardEdit {
  isConfirmed: boolean
}

/** Ends an edit: calling it takes the edit back, `settle` says that the server has it now. */
export interface Rollback {
  (): void
  settle(): void
}

/**
 * Boards as the server told of them, shown as they will be once it has everything that is on its way:
 * an answer that comes meanwhile must not show it undone.
 */
export class BoardCache {
  readonly #client: QueryClient
  readonly #pending = new Set<Pending>()
  #boards: readonly Board[] | undefined
  #uncategorizedCount: number | undefined

  constructor(client: QueryClient) {
    this.#client = client
  }

  /** Changes what is shown, at once. */
  edit(edit: BoardEdit): Rollback {
    const pending: Pending = { ...edit, isConfirmed: false }
    this.#pending.add(pending)
    this.#show()
    return Object.assign(
      () => {
        // The server has it: what takes it back is a change of its own.
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

  /** Asks for the boards and gives them as they are to be shown. */
  async list(ask: () => Promise<readonly Board[]>): Promise<readonly Board[]> {
    const confirmed = this.#confirmed()
    const boards = await ask()
    this.#forget(confirmed, 'boards')
    this.#boards = boards
    return this.#shownBoards(boards)
  }

  /** Asks how many images are uncategorized and gives it as it is to be shown. */
  async uncategorizedCount(ask: () => Promise<number>): Promise<number> {
    const confirmed = this.#confirmed()
    const count = await ask()
    this.#forget(confirmed, 'uncategorized')
    this.#uncategorizedCount = count
    return this.#shownCount(count)
  }

  /** A board as the server last told of it, whatever is on its way. */
  boardOnServer(boardId: string): Board | undefined {
    return this.#boards?.find(({ board_id }) => board_id === boardId)
  }

  /** What the server had before a question was put: its answer has it in it. */
  #confirmed(): Pending[] {
    return [...this.#pending].filter(({ isConfirmed }) => isConfirmed)
  }

  readonly #told = new Map<Pending, Set<string>>()

  /** Both lists must have told of an edit before it is forgotten. */
  #forget(confirmed: Pending[], by: 'boards' | 'uncategorized'): void {
    for (const edit of confirmed) {
      const told = this.#told.get(edit) ?? new Set()
      this.#told.set(edit, told.add(by))
      if (told.size < 2) continue
      this.#pending.delete(edit)
      this.#told.delete(edit)
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
      if (this.#told.get(edit)?.has('boards')) continue
      if (edit.boards) shown = edit.boards(shown)
      const { counts } = edit
      if (counts) shown = shown.map((board) => withCount(board, counts.get(board.board_id)))
    }
    return shown
  }

  #shownCount(count: number): number {
    let shown = count
    for (const edit of this.#pending) {
      if (this.#told.get(edit)?.has('uncategorized')) continue
      shown += edit.counts?.get(UNCATEGORIZED_BOARD_ID) ?? 0
    }
    return Math.max(0, shown)
  }
}

const withCount = (board: Board, more = 0): Board =>
  more === 0 ? board : { ...board, image_count: Math.max(0, board.image_count + more) }
