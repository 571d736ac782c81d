import { startTransition, useCallback, useEffect, useState } from 'react'
import { create } from 'zustand'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import type { BoardOrder } from '#gallery/boards/order/board-order.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'

/** The row that shows a name field: a board's, or that of a new board. */
export type Naming =
  /** `group`: the path of the group in which the board is made; `''`: none. */
  { kind: 'new'; group: string } | { kind: 'rename'; boardId: string } | null

const useOrderStore = createPreferences('board-order', {
  order: 'created' as BoardOrder,
  isArchiveShown: false,
  arePrivateHidden: false,
  isCompact: false,
})

/** Groups are unfolded or folded, except for some. */
interface Folding {
  areFolded: boolean
  except: readonly string[]
}

const useFolding = createPreferences<Folding>('board-groups', { areFolded: false, except: [] })

const isFoldedIn = ({ areFolded, except }: Folding, path: string): boolean =>
  areFolded !== except.includes(path)

/** Returns a function that tells if a group is folded. It changes with the folding. */
export function useIsFolded(): (path: string) => boolean {
  const folding = useFolding()
  return useCallback((path) => isFoldedIn(folding, path), [folding])
}

export function setGroupFolded(path: string, isFolded: boolean): void {
  useFolding.setState((folding) => {
    if (isFoldedIn(folding, path) === isFolded) return folding
    const others = folding.except.filter((other) => other !== path)
    return { except: isFolded === folding.areFolded ? others : [...others, path] }
  })
}

export const toggleGroup = (path: string): void =>
  setGroupFolded(path, !isFoldedIn(useFolding.getState(), path))

export const foldAllGroups = (): void => void useFolding.setState({ areFolded: true, except: [] })

export const unfoldAllGroups = (): void =>
  void useFolding.setState({ areFolded: false, except: [] })

/** The open dialog of a group, with the path of the group. */
export type GroupDialog = { kind: 'rename' | 'move' | 'delete'; path: string } | null

interface ListState {
  filter: string
  naming: Naming
  boardToDelete: Board | null
  boardToDescribe: Board | null
  groupDialog: GroupDialog
}

const useListStore = create<ListState>(() => ({
  filter: '',
  naming: null,
  boardToDelete: null,
  boardToDescribe: null,
  groupDialog: null,
}))

/** Returns the chosen order of the boards, persisted in localStorage. The server may not offer it. */
export const useChosenOrder = (): BoardOrder => useOrderStore(({ order }) => order)

export function setBoardOrder(order: BoardOrder): void {
  useOrderStore.setState({ order })
}

export const useIsArchiveShown = (): boolean => useOrderStore((state) => state.isArchiveShown)

export function setArchiveShown(isArchiveShown: boolean): void {
  useOrderStore.setState({ isArchiveShown })
}

export const useArePrivateHidden = (): boolean =>
  useOrderStore(({ arePrivateHidden }) => arePrivateHidden === true)

export const setPrivateHidden = (arePrivateHidden: boolean): void =>
  void useOrderStore.setState({ arePrivateHidden })

export const useIsCompactList = (): boolean => useOrderStore(({ isCompact }) => isCompact === true)

export const setCompactList = (isCompact: boolean): void =>
  void useOrderStore.setState({ isCompact })

export const useBoardFilter = (): string => useListStore(({ filter }) => filter)

/**
 * Returns the filter of the board list. It changes a little later than the field: React renders the list in a transition,
 * which the next key interrupts.
 */
export function useFilterOfList(): string {
  const [filter, setFilter] = useState(() => useListStore.getState().filter)
  useEffect(() => {
    const follow = () => startTransition(() => setFilter(useListStore.getState().filter))
    follow()
    return useListStore.subscribe(follow)
  }, [])
  return filter
}

export const setBoardFilter = (filter: string): void => useListStore.setState({ filter })

export const useNaming = (): Naming => useListStore(({ naming }) => naming)

/** Shows a row with a name field for a new board. Clears the filter, which would hide the row. */
export const startNewBoard = (group = ''): void =>
  useListStore.setState({ naming: { kind: 'new', group }, filter: '' })

export const startRename = (boardId: string): void =>
  useListStore.setState({ naming: { kind: 'rename', boardId } })

export const endNaming = (): void => useListStore.setState({ naming: null })

/** Returns the board for which the delete dialog is open. */
export const useBoardToDelete = (): Board | null =>
  useListStore(({ boardToDelete }) => boardToDelete)

export const askToDeleteBoard = (board: Board): void =>
  useListStore.setState({ boardToDelete: board })

export const closeDeleteDialog = (): void => useListStore.setState({ boardToDelete: null })

/** Returns the board whose description is edited. */
export const useBoardToDescribe = (): Board | null =>
  useListStore(({ boardToDescribe }) => boardToDescribe)

export const askForDescription = (board: Board): void =>
  useListStore.setState({ boardToDescribe: board })

export const closeDescription = (): void => useListStore.setState({ boardToDescribe: null })

export const useGroupDialog = (): GroupDialog => useListStore(({ groupDialog }) => groupDialog)

export const askAboutGroup = (kind: 'rename' | 'move' | 'delete', path: string): void =>
  useListStore.setState({ groupDialog: { kind, path } })

export const closeGroupDialog = (): void => useListStore.setState({ groupDialog: null })
