import { createContext, memo, type ReactNode, useContext } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { GenerationCell, ViewGenerations } from '#gallery/images/tiles/generation-cells.ts'
import { ImageTile } from '#gallery/images/tiles/image-tile.tsx'
import { DayHeading } from '#gallery/images/timeline/day-heading.tsx'
import type { GridGeometry } from './grid-geometry.ts'
import type { PlacedGroup } from './grid-layout.ts'
import { type GridNow, loadedRecord } from './grid-now.ts'
import type { TileFit } from './grid-preferences.ts'
import { contentOfRow, tileHeightOf, topOfRow } from './grid-rows.ts'
import type { TileBox } from './justified-rows.ts'
import { RowBox } from './row-box.tsx'
import { useVirtualRows } from './use-virtual-rows.ts'

/** Row offsets are relative to a multiple of this: browsers lose precision for large `top` values. */
const BASE_STEP_PX = 1_000_000

/** The content of the rows at any scroll position. */
export interface RowsNow {
  now: GridNow
  /** False before the first layout. */
  isReady: boolean
  viewportPx: number
  railWidthPx: number
  /** Height of the scrolled box, in pixels. */
  boxPx: number
  fit: TileFit
  cursor: number | null
  /** False: the rows show placeholders instead of tiles. */
  hasTiles: boolean
  viewGenerations: ViewGenerations | undefined
  generationCells: readonly GenerationCell[]
  onSelectGroup: (group: PlacedGroup) => void
}

/** Provided by the grid, so that scrolling renders the rows and nothing around them. */
export const RowsContext = createContext<RowsNow | null>(null)

/** The scrolled box with the rows at the scroll position. */
export function ScrolledRows() {
  const context = useContext(RowsContext)
  if (context === null) throw new Error('ScrolledRows needs a RowsContext.')
  const { boxPx, railWidthPx, isReady, viewportPx, ...shown } = context
  const { scroller, layout } = shown.now
  const visible = useVirtualRows({ scroller, layout: isReady ? layout : null, viewportPx })
  const firstTop = topOfRow(layout, visible.rows[0]?.index ?? 0)
  const basePx = Math.floor(firstTop / BASE_STEP_PX) * BASE_STEP_PX
  return (
    <RowBox scroller={scroller} boxPx={boxPx} basePx={basePx} rightPx={railWidthPx}>
      <ShownRows {...shown} {...visible} basePx={basePx} />
    </RowBox>
  )
}

interface ShownRowsProps extends Omit<RowsNow, 'boxPx' | 'railWidthPx' | 'isReady' | 'viewportPx'> {
  rows: readonly { index: number }[]
  /** Maximum number of rendered rows. */
  slots: number
  /** Top of the box that contains the rows, in pixels from the top of the content. */
  basePx: number
}

/** The rendered rows: headings and tiles. New rows reuse the elements of rows that scrolled away. */
export function ShownRows(props: ShownRowsProps) {
  const { now, rows, slots, basePx, fit, cursor, hasTiles, onSelectGroup } = props
  const { viewGenerations, generationCells } = props
  const { layout } = now
  const { geometry, rowCount } = layout
  // During a layout change, rows of the previous layout may be requested once.
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
          noun={now.noun}
          onSelect={onSelectGroup}
        />
      )
    }
    const { from, to, column, imageRowIndex, boxes, generations } = content
    const isCursorHere = cursor !== null && cursor >= from && cursor <= to
    return (
      <GridRow
        key={imageRowIndex % slots}
        row={index}
        offsetPx={offsetPx}
        heightPx={tileHeightOf(layout, index)}
        boxes={boxes}
        geometry={geometry}
        fit={fit}
        from={from}
        column={column}
        records={Array.from({ length: to - from + 1 }, (_, at) =>
          hasTiles ? loadedRecord(now, from + at) : undefined,
        )}
        cursor={isCursorHere ? cursor : null}
        generations={
          viewGenerations && generations.to >= generations.from ? (
            <GenerationTiles
              parts={viewGenerations}
              cells={generationCells.slice(generations.from, generations.to + 1)}
              entry={generationCells[0]}
              column={generations.column}
              geometry={geometry}
              fit={fit}
            />
          ) : null
        }
      />
    )
  })
}

interface GenerationTilesProps {
  parts: ViewGenerations
  cells: readonly GenerationCell[]
  /** The first cell of all rows. */
  entry: GenerationCell | undefined
  /** Column of the first cell. */
  column: number
  geometry: GridGeometry
  fit: TileFit
}

function GenerationTiles(props: GenerationTilesProps) {
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
  /** Distance from the top of the box that contains the rows, in pixels. */
  offsetPx: number
  /** Height of the tiles, in pixels. */
  heightPx: number
  /** Places of the tiles; `null` if they are squares in columns. */
  boxes: readonly TileBox[] | null
  geometry: GridGeometry
  fit: TileFit
  /** Position of the row's first image, and the column of that image. */
  from: number
  column: number
  /** Records of the row's images; `undefined` if not loaded. */
  records: readonly (ImageRecord | undefined)[]
  /** Position of the focused image if it is in this row. */
  cursor: number | null
  /** Cells of running generations before the images. */
  generations: ReactNode
}

const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, offsetPx, heightPx, boxes, geometry, fit, from, records, cursor } = props
  const { column: first, generations } = props
  const { cellPx, gapPx, leftPx } = geometry
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active tile
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go
    <div
      role="row"
      aria-rowindex={row + 1}
      // Contained, so that a new picture lays out and paints its row only.
      className="absolute inset-x-0 contain-layout contain-size contain-style"
      style={{ top: offsetPx, height: heightPx }}
    >
      {generations}
      {records.map((record, at) => {
        const position = from + at
        const column = first + at
        const { leftPx: left, widthPx } = boxes?.[at] ?? {
          leftPx: leftPx + column * (cellPx + gapPx),
          widthPx: cellPx,
        }
        return record ? (
          <ImageTile
            // Cells are reused for other images, which keeps fast scrolling smooth.
            key={column}
            record={record}
            position={position}
            column={column}
            leftPx={left}
            tilePx={widthPx}
            heightPx={heightPx}
            fit={fit}
            isCursor={cursor === position}
          />
        ) : (
          <div
            key={column}
            className="absolute top-0 rounded-sm bg-linear-to-br from-hover to-sunken"
            style={{ left, width: widthPx, height: heightPx }}
          />
        )
      })}
    </div>
  )
}, areSame)

/** Compares the records one by one, because they come in a new array on each render. */
function areSame(before: GridRowProps, after: GridRowProps): boolean {
  return (
    before.row === after.row &&
    before.offsetPx === after.offsetPx &&
    before.heightPx === after.heightPx &&
    areEqualBoxes(before.boxes, after.boxes) &&
    before.geometry === after.geometry &&
    before.fit === after.fit &&
    before.from === after.from &&
    before.column === after.column &&
    before.cursor === after.cursor &&
    before.generations === after.generations &&
    before.records.length === after.records.length &&
    before.records.every((record, at) => record === after.records[at])
  )
}

/** Compares the places, because they come in a new array after each change of the layout. */
const areEqualBoxes = (a: GridRowProps['boxes'], b: GridRowProps['boxes']): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.length === b.length &&
    a.every(({ leftPx, widthPx }, at) => leftPx === b[at]?.leftPx && widthPx === b[at]?.widthPx))
