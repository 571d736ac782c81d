import { createContext, useContext, useSyncExternalStore } from 'react'
import type { GridScroller } from './grid-scroller.ts'

/** The scroller of the grid that a tile is in. */
export const ScrollerContext = createContext<GridScroller | null>(null)

/** Whether the grid moves slowly enough for pictures to be loaded; re-renders when that changes. */
export function useIsCalm(): boolean {
  const scroller = useContext(ScrollerContext)
  if (scroller === null) throw new Error('A tile stands outside of a grid.')
  return useSyncExternalStore(scroller.subscribeCalm, scroller.isCalm)
}
