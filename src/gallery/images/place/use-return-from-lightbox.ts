import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { type GridNow, showPosition } from '#gallery/images/grid/grid-now.ts'
import { countSelected } from '#gallery/images/selection/selection.ts'
import {
  currentChoice,
  currentSelection,
  resetSelection,
  selectAfterViewer,
} from '#gallery/images/selection/selection-store.ts'
import { findPosition } from './use-scroll-to-target.ts'

/**
 * When the viewer closes, scrolls to the image that it showed last, focuses it and selects it. If several images were
 * selected before, they stay selected.
 */
export function useReturnFromLightbox(
  now: RefObject<GridNow>,
  grid: RefObject<HTMLElement | null>,
  openImage: string | null,
): void {
  const client = useQueryClient()
  const shown = useRef(openImage)
  useEffect(() => {
    const imageName = shown.current
    shown.current = openImage
    if (imageName === null || openImage !== null) return
    grid.current?.focus({ preventScroll: true })
    const hasSeveral = countSelected(currentSelection(), now.current.total) > 1
    // Until the position is known, keys must not act on the image that was opened first.
    if (!hasSeveral) resetSelection()
    const choice = currentChoice()
    void findPosition(client, now.current, imageName).then((position) => {
      if (position === null || currentChoice() !== choice) return
      showPosition(now.current, position)
      selectAfterViewer({ imageName, position }, hasSeveral)
    })
  }, [client, grid, now, openImage])
}
