import { create } from 'zustand'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'
import type { BoardOrder } from './board-order.ts'

/** The row that shows a name field: a board's, or that of a new board. */
export type Naming = { kind: 'new' } | { kind: 'rename'; boardId: string } | null

const useOrderStore = createPreferences('board-order', {
  order: 'created' as BoardOrder,
  isArchiveShown: false,
})

interface ListState {
  filter: string
  naming: Naming
  boardToDelete: Board | null
}

const useListStore = create<ListState>(() => ({ filter: '', naming: null, boardToDelete: null }))

/** Returns the order of the boards, persisted in localStorage. */
export const useBoardOrder = (): BoardOrder => useOrderStore(({ order }) => order)

export function setBoardOrder(order: BoardOrder): void {
  useOrderStore.setState({ order })
}

export const useIsArchiveShown = (): boolean => useOrderStore((state) => state.isArchiveShown)

export function setArchiveShown(isArchiveShown: boolean): void {
  useOrderStore.setState({ isArchiveShown })
}

export const useBoardFilter = (): string => useListStore(({ filter }) => filter)

export const setBoardFilter = (filter: string): void => useListStore.setState({ filter })

export const useNaming = (): Naming => useListStore(({ naming }) => naming)

/** Shows a row with a name field for a new board. Clears the filter, which would hide the row. */
export const startNewBoard = (): void =>
  useListStore.setState({ naming: { kind: 'new' }, filter: '' })

export const startRename = (boardId: string): void =>
  useListStore.setState({ naming: { kind: 'rename', boardId } })

export const endNaming = (): void => useListStore.setState({ naming: null })

/** Returns the board for which the delete dialog is open. */
export const useBoardToDelete = (): Board | null =>
  useListStore(({ boardToDelete }) => boardToDelete)

export const askToDeleteBoard = (board: Board): void =>
  useListStore.setState({ boardToDelete: board })

export const closeDeleteDialog = (): void => useListStore.setState({ boardToDelete: null })
