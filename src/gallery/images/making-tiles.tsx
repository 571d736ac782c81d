import type { GridGeometry } from './grid-geometry.ts'
import type { TileFit } from './grid-preferences.ts'
import type { BeingMade, MakingCell } from './making-cells.ts'

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
export function MakingTiles(props: MakingTilesProps) {
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
