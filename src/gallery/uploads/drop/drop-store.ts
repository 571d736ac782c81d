import { create } from 'zustand'

interface DropState {
  /** Of the zone inside the page that files are held over: a board's row. */
  readonly innerLabel: string | null
  /** What is dragged comes from this page: a tile, a link, marked text. */
  readonly isOwnDrag: boolean
}

const useDrop = create<DropState>(() => ({ innerLabel: null, isOwnDrag: false }))

export const useInnerLabel = (): string | null => useDrop(({ innerLabel }) => innerLabel)
export const useIsOwnDrag = (): boolean => useDrop(({ isOwnDrag }) => isOwnDrag)
export const isOwnDrag = (): boolean => useDrop.getState().isOwnDrag

export const innerZoneEntered = (label: string): void => useDrop.setState({ innerLabel: label })

export const innerZoneLeft = (label: string): void =>
  useDrop.setState((state) => (state.innerLabel === label ? { innerLabel: null } : state))

export const ownDragStarted = (): void => useDrop.setState({ isOwnDrag: true })
export const ownDragEnded = (): void => useDrop.setState({ isOwnDrag: false })
