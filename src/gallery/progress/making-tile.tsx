import { type ReactNode, useRef } from 'react'
import { useTileFocus } from './use-tile-focus.ts'

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
