import { DayHeading } from './day-heading.tsx'
import type { PlacedGroup } from './grid-layout.ts'
import { type GridNow, loadedRecord } from './grid-now.ts'
import type { TileFit } from './grid-preferences.ts'
import { GridRow } from './grid-row.tsx'
import { contentOfRow, topOfRow } from './grid-rows.ts'
import type { BeingMade, MakingCell } from './making-cells.ts'
import { MakingTiles } from './making-tiles.tsx'

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
