import { createContext, useContext } from 'react'
import type { GridScroller } from './grid-scroller.ts'

/** The scroller of the grid that a tile is in. */
export const ScrollerContext = createContext<GridScroller | null>(null)

/** The scroller of the grid around this tile. */
export function useScroller(): GridScroller {
  const scroller = useContext(ScrollerContext)
  if (scroller === null) throw new Error('A tile stands outside of a grid.')
  return scroller
}
