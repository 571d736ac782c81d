import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { type GridNow, loadedRecords } from '#gallery/images/grid/grid-now.ts'
import { cursorMoved } from '#gallery/images/selection/selection-store.ts'
import type { BeingMade, MakingCell } from '#gallery/images/tiles/making-cells.ts'

/**
 * Where the focus was on the tile of something that was being made, it goes to the image that has come in
 * its place. A tile that goes hands the focus to the grid by itself.
 */
export function useLandedFocus(
  now: RefObject<GridNow>,
  grid: RefObject<HTMLElement | null>,
  cells: readonly MakingCell[],
  beingMade: BeingMade | undefined,
): void {
  const before = useRef(cells)
  /** The item of the tile that has given the focus to the grid in this very moment. */
  const left = useRef<number | null>(null)
  useEffect(() => {
    const element = grid.current
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
    const isLeft = ({ generation }: MakingCell) => generation?.itemId === left.current
    const gone = left.current === null ? undefined : before.current.find(isLeft)
    before.current = cells
    // Its image may be told of, and be there, in one breath: then the tile never knew of it.
    const latest = beingMade?.generations.find((generation) => isLeft({ generation }))
    const imageName = (latest ?? gone?.generation)?.imageNames.at(-1)
    if (!gone || imageName === undefined || cells.some(isLeft)) return
    for (const [position, { image_name }] of loadedRecords(now.current)) {
      if (image_name === imageName) cursorMoved({ imageName, position })
    }
  }, [now, cells, beingMade])
}
