import { useEffect, useRef } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { showPosition } from '#gallery/images/grid/grid-now.ts'
import { countSelected } from '#gallery/images/selection/selection.ts'
import {
  currentChoice,
  currentSelection,
  resetSelection,
  selectAfterViewer,
} from '#gallery/images/selection/selection-store.ts'
import { findPosition } from './find-position.ts'

/** When the viewer closes, scrolls to its last image, focuses it, and selects it unless several are selected. */
export function useReturnFromLightbox(grid: GridHandle, openImage: string | null): void {
  const api = useGallery()
  const shown = useRef(openImage)
  useEffect(() => {
    const imageName = shown.current
    shown.current = openImage
    if (imageName === null || openImage !== null) return
    grid.element?.focus({ preventScroll: true })
    const hasSeveral = countSelected(currentSelection(), grid.now.total) > 1
    // Until the position is known, keys must not act on the image that was opened first.
    if (!hasSeveral) resetSelection()
    const choice = currentChoice()
    void findPosition(api, grid.now, imageName).then((position) => {
      if (position === null || currentChoice() !== choice) return
      showPosition(grid.now, position)
      selectAfterViewer({ imageName, position }, hasSeveral)
    })
  }, [api, grid, openImage])
}
