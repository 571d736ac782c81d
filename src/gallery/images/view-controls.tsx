import { Maximize, Minimize } from 'lucide-react'
import { MAX_TILE_PX, MIN_TILE_PX } from '#gallery/images/grid/grid-geometry.ts'
import {
  setTileFit,
  setTileSize,
  useTileFit,
  useTilePx,
} from '#gallery/images/grid/grid-preferences.ts'
import { IconButton } from '#gallery/ui/button.tsx'

export function ViewControls() {
  const tilePx = useTilePx()
  const fit = useTileFit()
  return (
    <div className="flex shrink-0 items-center gap-1">
      <input
        type="range"
        aria-label="Tile size"
        title="Tile size"
        aria-valuetext={`${tilePx} pixels`}
        min={MIN_TILE_PX}
        max={MAX_TILE_PX}
        step={8}
        value={tilePx}
        onChange={(event) => setTileSize(event.currentTarget.valueAsNumber)}
        className="h-9 w-24 accent-accent pointer-coarse:h-11"
      />
      <IconButton
        label={fit === 'fill' ? 'Show whole pictures' : 'Fill the tiles'}
        icon={fit === 'fill' ? Minimize : Maximize}
        onClick={() => setTileFit(fit === 'fill' ? 'fit' : 'fill')}
      />
    </div>
  )
}
