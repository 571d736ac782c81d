import { Grid2x2, LayoutPanelTop, Minus, Plus, Scaling } from 'lucide-react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { MAX_TILE_PX, MIN_TILE_PX } from '#gallery/images/grid/grid-geometry.ts'
import { currentTilePx, setTileSize, useTilePx } from '#gallery/images/grid/grid-preferences.ts'
import { HoverCardSwitch, useHoverCardCommand } from '#gallery/images/tiles/hover-card.tsx'
import { BadgeSwitches, useBadgeCommands } from '#gallery/images/tiles/tile-badges.tsx'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { choiceCommands } from '#gallery/ui/commands/setting-commands.ts'
import { Choice } from '#gallery/ui/options.tsx'
import { type TileLayout, TRASH } from '#gallery/url/place-order.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

const layouts = [
  { value: 'fill', label: 'Squares', icon: Grid2x2 },
  { value: 'fit', label: 'Fit', icon: Scaling },
  { value: 'rows', label: 'Rows', icon: LayoutPanelTop },
] as const

/** Reason why rows cannot be chosen; undefined if they can. */
function useRowsRefusal(): string | undefined {
  const hasRatios = useHasExtension('image_ratios')
  const { board } = usePlace()
  if (!hasRatios) return 'This server does not know the proportions of all images'
  return board === TRASH ? 'Not in the trash' : undefined
}

/** The size of the tiles, how images fill them, and what they show besides. */
export function TileOptions() {
  const tilePx = useTilePx()
  const { layout } = usePlace()
  const refusal = useRowsRefusal()
  const isRefused = refusal !== undefined
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
      <Choice
        label="Layout"
        value={isRefused && layout === 'rows' ? 'fill' : layout}
        options={layouts.map(({ value, label }) => ({
          ...{ value, label },
          ...(value === 'rows' && isRefused && { refusal }),
        }))}
        onChoose={chooseLayout}
      />
      <div>
        <BadgeSwitches />
        <div className="pointer-coarse:hidden">
          <HoverCardSwitch />
        </div>
      </div>
    </>
  )
}

/** Change of the tile size by a key, in pixels. */
const STEP_PX = 24

/** Registers commands for the tiles. */
export function useTileCommands(): void {
  useHoverCardCommand()
  useBadgeCommands()
  const { layout } = usePlace()
  const isRefused = useRowsRefusal() !== undefined
  const offered = layouts.filter(({ value }) => value !== 'rows' || !isRefused)
  const resize = (px: number) => () => setTileSize(currentTilePx() + px)
  useCommands('Images', [
    { id: 'tiles.larger', label: 'Larger tiles', icon: Plus, keys: '+', run: resize(STEP_PX) },
    { id: 'tiles.smaller', label: 'Smaller tiles', icon: Minus, keys: '-', run: resize(-STEP_PX) },
  ])
  const at = offered.findIndex(({ value }) => value === layout)
  const next = offered[(at + 1) % offered.length] ?? layouts[0]
  const icon = layouts.find(({ value }) => value === layout)?.icon ?? Grid2x2
  const setting = { id: 'tiles', name: 'Layout', icon, value: layout, options: offered }
  useCommands('View', [
    {
      ...{ id: 'tiles.next', label: 'Next layout', icon: next.icon, keys: 'v' },
      run: () => chooseLayout(next.value),
    },
    ...choiceCommands({ ...setting, onChoose: chooseLayout }),
  ])
}

const chooseLayout = (layout: TileLayout): void => goTo({ layout })
