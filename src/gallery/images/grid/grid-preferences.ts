import { createPreferences } from '#gallery/ui/preferences.ts'
import { MAX_TILE_PX, MIN_TILE_PX } from './grid-geometry.ts'

/** Scaling of an image in its tile: fully visible, or cropped to fill the tile. */
export type TileFit = 'fit' | 'fill'

/** Preferred tile width, in CSS pixels: three to four tiles per row on a phone, seven on a desktop screen. */
const DEFAULT_TILE_PX = typeof window !== 'undefined' && window.innerWidth < 640 ? 112 : 184

const usePreferences = createPreferences('grid', { tilePx: DEFAULT_TILE_PX }, 1)

export const useTilePx = (): number => usePreferences(({ tilePx }) => tilePx)
export const currentTilePx = (): number => usePreferences.getState().tilePx

export function setTileSize(tilePx: number): void {
  const within = Math.min(Math.max(tilePx, MIN_TILE_PX), MAX_TILE_PX)
  usePreferences.setState({ tilePx: Math.round(within) })
}
