import { useEffect, useLayoutEffect, useRef } from 'react'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { loadedPosition } from '#gallery/images/grid/grid-now.ts'
import { moveCursor } from '#gallery/images/selection/selection-store.ts'
import type { GenerationCell, ViewGenerations } from '#gallery/images/tiles/generation-cells.ts'

/** Moves the focus from the tile of a generation to its image. A removed tile passes the focus to the grid first. */
export function useGenerationFocus(
  grid: GridHandle,
  cells: readonly GenerationCell[],
  viewGenerations: ViewGenerations | undefined,
): void {
  const before = useRef(cells)
  /** Queue item of the tile that has just passed the focus to the grid; reset in the next microtask. */
  const left = useRef<number | null>(null)
  useEffect(() => {
    const element = grid.element
    const noteItem = ({ target, relatedTarget }: FocusEvent) => {
      const tile = relatedTarget instanceof HTMLElement ? relatedTarget.dataset : {}
      if (target !== element || tile.making === undefined) return
      left.current = Number(tile.making)
      queueMicrotask(() => {
        left.current = null
      })
    }
    element?.addEventListener('focusin', noteItem)
    return () => element?.removeEventListener('focusin', noteItem)
  }, [grid])
  useLayoutEffect(() => {
    const isLeft = ({ generation }: GenerationCell) => generation?.itemId === left.current
    const gone = left.current === null ? undefined : before.current.find(isLeft)
    before.current = cells
    // The image may be announced and inserted in the same render, so the cell may not list it.
    const latest = viewGenerations?.generations.find((generation) => isLeft({ generation }))
    const imageName = (latest ?? gone?.generation)?.imageNames.at(-1)
    if (!gone || imageName === undefined || cells.some(isLeft)) return
    const position = loadedPosition(grid.now, imageName)
    if (position !== undefined) moveCursor({ imageName, position })
  }, [grid, cells, viewGenerations])
}
