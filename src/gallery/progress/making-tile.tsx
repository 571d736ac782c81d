import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

interface MakingTileProps {
  /** The item of the queue that it is of. Absent: of several. */
  itemId?: number
  name: string
  column: number
  /** From the left edge of the grid, in pixels. */
  leftPx: number
  tilePx: number
  /** Where Tab leads. */
  isEntry: boolean
  /** What a key does here. @returns Whether it did anything. */
  onKey: (key: string) => boolean
  children: ReactNode
}

/** A cell of the grid that is no image yet: reached by Tab, left by arrows. */
export function MakingTile({
  itemId,
  name,
  column,
  leftPx,
  tilePx,
  isEntry,
  onKey,
  children,
}: MakingTileProps) {
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

/** Where the keys lead among the tiles of what is being made, from the one that has the focus. */
const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * The focus on a tile: arrows lead to the others, and beyond the last one into the grid, which gets it too
 * when the tile goes. Keys that act on images do not act here.
 *
 * @param onKey - What else a key does here. @returns Whether it did.
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
    const tiles = tilesBeside(element)
    const next = step(tiles.indexOf(element), tiles.length - 1)
    if (next >= tiles.length) gridOf(element)?.focus()
    else {
      event.preventDefault()
      tiles[next]?.focus()
    }
  }
}

const gridOf = (element: Element): HTMLElement | null => element.closest('[role=grid]')

const tilesBeside = (element: HTMLElement): HTMLElement[] => [
  ...(gridOf(element)?.querySelectorAll<HTMLElement>('[data-making]') ?? []),
]
