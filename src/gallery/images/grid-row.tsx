import { memo, type ReactNode } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { GridGeometry } from './grid-geometry.ts'
import type { TileFit } from './grid-preferences.ts'
import { ImageTile } from './image-tile.tsx'

interface GridRowProps {
  row: number
  /** From the top of the box that holds the rows, in pixels. */
  offsetPx: number
  geometry: GridGeometry
  fit: TileFit
  /** The position of its first image, and the column that this stands in. */
  from: number
  column: number
  /** Of its images; `undefined` where not known yet. */
  records: readonly (ImageRecord | undefined)[]
  /** The position that has the focus, where it is in this row. */
  cursor: number | null
  /** The cells before them, of images that are being made. */
  making: ReactNode
}

/** One row of tiles. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, offsetPx, geometry, fit, from, column: first, records, cursor, making } = props
  const { cellPx, gapPx, leftPx } = geometry
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active tile
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go
    <div
      role="row"
      aria-rowindex={row + 1}
      className="absolute inset-x-0"
      style={{ top: offsetPx, height: cellPx }}
    >
      {making}
      {records.map((record, at) => {
        const position = from + at
        const column = first + at
        const left = leftPx + column * (cellPx + gapPx)
        return record ? (
          <ImageTile
            // Cells are used again for other images: that is what keeps flinging smooth.
            key={column}
            record={record}
            position={position}
            column={column}
            leftPx={left}
            tilePx={cellPx}
            fit={fit}
            isCursor={cursor === position}
          />
        ) : (
          <div
            key={column}
            className="absolute top-0 rounded-sm bg-linear-to-br from-hover to-sunken"
            style={{ left, width: cellPx, height: cellPx }}
          />
        )
      })}
    </div>
  )
}, areSame)

/** Records come in a new array each time; the row has changed only if one of them has. */
function areSame(before: GridRowProps, after: GridRowProps): boolean {
  return (
    before.row === after.row &&
    before.offsetPx === after.offsetPx &&
    before.geometry === after.geometry &&
    before.fit === after.fit &&
    before.from === after.from &&
    before.column === after.column &&
    before.cursor === after.cursor &&
    before.making === after.making &&
    before.records.length === after.records.length &&
    before.records.every((record, at) => record === after.records[at])
  )
}
