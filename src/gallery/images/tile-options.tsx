import { Crop, Minus, Plus, Scaling } from 'lucide-react'
import { MAX_TILE_PX, MIN_TILE_PX } from '#gallery/images/grid/grid-geometry.ts'
import {
  currentTilePx,
  setTileFit,
  setTileSize,
  useTileFit,
  useTilePx,
} from '#gallery/images/grid/grid-preferences.ts'
import { HoverCardSwitch, useHoverCardCommand } from '#gallery/images/tiles/hover-card.tsx'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { choiceCommands } from '#gallery/ui/commands/setting-commands.ts'
import { Choice } from '#gallery/ui/options.tsx'

const fits = [
  { value: 'fill', label: 'Fill' },
  { value: 'fit', label: 'Whole image' },
] as const

/** The size of the tiles, and how images fill them. */
export function TileOptions() {
  const tilePx = useTilePx()
  const fit = useTileFit()
  return (
    <>
      <label className="flex flex-col gap-1 font-medium text-muted text-xs">
        Tile size
        <span className="flex items-center gap-2">
          <Minus aria-hidden size={14} />
          <input
            type="range"
            aria-valuetext={`${tilePx} pixels`}
            min={MIN_TILE_PX}
            max={MAX_TILE_PX}
            step={8}
            value={tilePx}
            onChange={(event) => setTileSize(event.currentTarget.valueAsNumber)}
            className="h-9 min-w-0 flex-1 accent-accent pointer-coarse:h-11"
          />
          <Plus aria-hidden size={14} />
        </span>
      </label>
      <Choice label="Tiles" value={fit} options={fits} onChoose={setTileFit} />
      <div className="pointer-coarse:hidden">
        <HoverCardSwitch />
      </div>
    </>
  )
}

/** Change of the tile size by a key, in pixels. */
const STEP_PX = 24

/** Registers commands for the tiles. */
export function useTileCommands(): void {
  useHoverCardCommand()
  const value = useTileFit()
  const resize = (px: number) => () => setTileSize(currentTilePx() + px)
  useCommands('Images', [
    { id: 'tiles.larger', label: 'Larger tiles', icon: Plus, keys: '+', run: resize(STEP_PX) },
    { id: 'tiles.smaller', label: 'Smaller tiles', icon: Minus, keys: '-', run: resize(-STEP_PX) },
  ])
  const fit = { id: 'tiles', name: 'Tiles', icon: value === 'fill' ? Crop : Scaling, value }
  useCommands('View', choiceCommands({ ...fit, options: fits, onChoose: setTileFit }))
}
