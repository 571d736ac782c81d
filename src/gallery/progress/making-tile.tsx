import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { formatCount } from '#gallery/ui/text/count.ts'

export interface TilePlace {
  column: number
  /** From the left edge of the grid, in pixels. */
  leftPx: number
  tilePx: number
  /** True for the tab stop among the tiles. */
  isEntry: boolean
}

interface MakingTileProps extends TilePlace {
  /** The queue item. Undefined for a tile of several items. */
  itemId?: number
  name: string
  /** Handles a key. Returns true if it did anything. */
  onKey: (key: string) => boolean
  children: ReactNode
}

/** A grid cell without an image yet. Tab focuses it, and arrow keys leave it. */
export function MakingTile(props: MakingTileProps) {
  const { itemId, name, column, leftPx, tilePx, isEntry, onKey, children } = props
  const tile = useRef<HTMLDivElement>(null)
  const press = useTileFocus(tile, onKey)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go
    <div
      ref={tile}
      role="gridcell"
      aria-label={name}
      aria-colindex={column + 1}
      title={name}
      tabIndex={isEntry ? 0 : -1}
      data-making={itemId ?? ''}
      onKeyDown={press}
      className="group absolute top-0 flex select-none items-center justify-center rounded-sm focus-visible:outline-offset-1"
      style={{ left: leftPx, width: tilePx, height: tilePx }}
    >
      {children}
    </div>
  )
}

interface MoreTileProps extends TilePlace {
  count: number
  onOpenQueue: () => void
}

/** A cell with the number of generations without a tile. */
export function MoreTile({ count, onOpenQueue, ...place }: MoreTileProps) {
  const words = `and ${formatCount(count)} more`
  const act = (key: string): boolean => {
    if (key !== 'Enter') return false
    onOpenQueue()
    return true
  }
  return (
    <MakingTile {...place} name={`${words}: show the queue`} onKey={act}>
      <button
        type="button"
        tabIndex={-1}
        onClick={onOpenQueue}
        className="flex size-full items-center justify-center rounded-sm border border-line bg-sunken p-2 text-center text-muted text-sm hover:bg-hover hover:text-ink"
      >
        {words}
      </button>
    </MakingTile>
  )
}

/** The index of the next tile by key, from the focused tile. */
const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * Moves the focus between tiles with arrow keys, and after the last tile into the grid. The grid also gets the focus
 * when a focused tile is removed. Keys for images have no effect here.
 *
 * @param onKey - Handles other keys. Returns true if it did anything.
 */
function useTileFocus(
  tile: RefObject<HTMLElement | null>,
  onKey: (key: string) => boolean,
): (event: KeyboardEvent) => void {
  useLayoutEffect(() => {
    const element = tile.current
    return () => {
      if (element?.contains(document.activeElement)) gridOf(element)?.focus({ preventScroll: true })
    }
  }, [tile])

  return (event) => {
    const element = tile.current
    const isOnButton = event.target !== element
    if (element === null || event.ctrlKey || event.metaKey || event.altKey) return
    if (isOnButton && (event.key === 'Enter' || event.key === ' ')) return
    if (onKey(event.key)) return event.preventDefault()
    if (event.key === 'Escape' || event.key === 'ArrowDown') gridOf(element)?.focus()
    const step = STEPS[event.key]
    if (step === undefined) return
    const tiles = generationTiles(element)
    const next = step(tiles.indexOf(element), tiles.length - 1)
    if (next >= tiles.length) gridOf(element)?.focus()
    else {
      event.preventDefault()
      tiles[next]?.focus()
    }
  }
}

const gridOf = (element: Element): HTMLElement | null => element.closest('[role=grid]')

const generationTiles = (element: HTMLElement): HTMLElement[] => [
  ...(gridOf(element)?.querySelectorAll<HTMLElement>('[data-making]') ?? []),
]
