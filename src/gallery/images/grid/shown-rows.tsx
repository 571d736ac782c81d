import { memo, type ReactNode } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { ImageTile } from '#gallery/images/tiles/image-tile.tsx'
import type { BeingMade, MakingCell } from '#gallery/images/tiles/making-cells.ts'
import { DayHeading } from '#gallery/images/timeline/day-heading.tsx'
import type { GridGeometry } from './grid-geometry.ts'
import type { PlacedGroup } from './grid-layout.ts'
import { type GridNow, loadedRecord } from './grid-now.ts'
import type { TileFit } from './grid-preferences.ts'
import { contentOfRow, topOfRow } from './grid-rows.ts'

interface ShownRowsProps {
  now: GridNow
  rows: readonly { index: number }[]
  /** How many rows there can be at once. */
  slots: number
  /** Where the box that holds them begins, in pixels from the top of everything. */
  basePx: number
  fit: TileFit
  cursor: number | null
  /** False: the rows show placeholders instead of tiles. */
  hasTiles: boolean
  beingMade: BeingMade | undefined
  makingCells: readonly MakingCell[]
  onSelectGroup: (group: PlacedGroup) => void
}

/** The rows that can be seen: headings and tiles. Those that come in take the place of those that went. */
export function ShownRows(props: ShownRowsProps) {
  const { now, rows, slots, basePx, fit, cursor, hasTiles, onSelectGroup } = props
  const { beingMade, makingCells } = props
  const { layout } = now
  const { geometry, rowCount } = layout
  // While the layout changes, rows of the one before may be asked for once.
  return rows.map(({ index }) => {
    if (index >= rowCount) return null
    const content = contentOfRow(layout, index)
    const offsetPx = topOfRow(layout, index) - basePx
    if (!('from' in content)) {
      return (
        <DayHeading
          key={`heading ${content.headingIndex % slots}`}
          row={index}
          offsetPx={offsetPx}
          columns={geometry.columns}
          leftPx={geometry.leftPx}
          group={content.group}
          onSelect={onSelectGroup}
        />
      )
    }
    const { from, to, column, imageRowIndex, making } = content
    const isCursorHere = cursor !== null && cursor >= from && cursor <= to
    return (
      <GridRow
        key={imageRowIndex % slots}
        row={index}
        offsetPx={offsetPx}
        geometry={geometry}
        fit={fit}
        from={from}
        column={column}
        records={Array.from({ length: to - from + 1 }, (_, at) =>
          hasTiles ? loadedRecord(now, from + at) : undefined,
        )}
        cursor={isCursorHere ? cursor : null}
        making={
          beingMade && making.to >= making.from ? (
            <MakingTiles
              parts={beingMade}
              cells={makingCells.slice(making.from, making.to + 1)}
              entry={makingCells[0]}
              column={making.column}
              geometry={geometry}
              fit={fit}
            />
          ) : null
        }
      />
    )
  })
}

interface MakingTilesProps {
  parts: BeingMade
  cells: readonly MakingCell[]
  /** The first of all, in whichever row. */
  entry: MakingCell | undefined
  /** In which the first one stands. */
  column: number
  geometry: GridGeometry
  fit: TileFit
}

/** The cells of a row in which images are being made. */
function MakingTiles(props: MakingTilesProps) {
  const { parts, cells, entry, column: first, geometry, fit } = props
  const { Tile, More } = parts
  const { cellPx, gapPx, leftPx } = geometry
  return cells.map((cell, at) => {
    const column = first + at
    const place = {
      column,
      leftPx: leftPx + column * (cellPx + gapPx),
      tilePx: cellPx,
      isEntry: cell === entry,
    }
    return cell.generation ? (
      <Tile key={cell.generation.itemId} {...place} generation={cell.generation} fit={fit} />
    ) : (
      <More key="more" {...place} count={cell.moreCount} />
    )
  })
}

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
const GridRow = memo(function GridRow(props: GridRowProps) {
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
