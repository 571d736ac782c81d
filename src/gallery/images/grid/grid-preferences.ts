import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { MAX_TILE_PX, MIN_TILE_PX } from './grid-geometry.ts'

/** How a picture stands in its square tile: wholly seen, or filling it. */
export type TileFit = 'fit' | 'fill'

interface GridPreferences {
  /** About how wide a tile is to be, in CSS pixels. */
  tilePx: number
  fit: TileFit
}

/** Three to four tiles a row on a phone, seven on a screen. */
const DEFAULT_TILE_PX = typeof window !== 'undefined' && window.innerWidth < 640 ? 112 : 184

const usePreferences = create<GridPreferences>()(
  persist((): GridPreferences => ({ tilePx: DEFAULT_TILE_PX, fit: 'fill' }), {
    name: 'tessera:grid',
    version: 1,
  }),
)

export const useTilePx = (): number => usePreferences(({ tilePx }) => tilePx)
export const useTileFit = (): TileFit => usePreferences(({ fit }) => fit)
export const currentTilePx = (): number => usePreferences.getState().tilePx

export function tileSizeChanged(tilePx: number): void {
  const within = Math.min(Math.max(tilePx, MIN_TILE_PX), MAX_TILE_PX)
  usePreferences.setState({ tilePx: Math.round(within) })
}

export function tileFitChanged(fit: TileFit): void {
  usePreferences.setState({ fit })
}
