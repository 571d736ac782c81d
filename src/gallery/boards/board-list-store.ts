import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import type { BoardOrder } from './board-order.ts'

/** Which row is a field to type in: a board's id, or the one that is being made. */
export type Naming = { kind: 'new' } | { kind: 'rename'; boardId: string } | null

const useOrderStore = create(
  persist(() => ({ order: 'created' as BoardOrder, isArchiveShown: false }), {
    name: 'tessera:board-order',
  }),
)

interface ListState {
  filter: string
  naming: Naming
  boardToDelete: Board | null
}

const useListStore = create<ListState>(() => ({ filter: '', naming: null, boardToDelete: null }))

/** How the person wants the boards ordered, now and in the future. */
export const useBoardOrder = (): BoardOrder => useOrderStore(({ order }) => order)

export function orderChosen(order: BoardOrder): void {
  useOrderStore.setState({ order })
}

/** Whether boards that were put away stand among the others. */
export const useIsArchiveShown = (): boolean => useOrderStore((state) => state.isArchiveShown)

export function archiveShown(isArchiveShown: boolean): void {
  useOrderStore.setState({ isArchiveShown })
}

/** What is typed to find boards. */
export const useBoardFilter = (): string => useListStore(({ filter }) => filter)

export const filterTyped = (filter: string): void => useListStore.setState({ filter })

export const useNaming = (): Naming => useListStore(({ naming }) => naming)

/** A row for a new board appears, its name open for typing. A filter would hide it. */
export const newBoardAsked = (): void =>
  useListStore.setState({ naming: { kind: 'new' }, filter: '' })

export const renameAsked = (boardId: string): void =>
  useListStore.setState({ naming: { kind: 'rename', boardId } })

export const namingEnded = (): void => useListStore.setState({ naming: null })

/** The board that a person may want to delete: the dialog asks. */
export const useBoardToDelete = (): Board | null =>
  useListStore(({ boardToDelete }) => boardToDelete)

export const deleteAsked = (board: Board): void => useListStore.setState({ boardToDelete: board })

export const deleteEnded = (): void => useListStore.setState({ boardToDelete: null })
