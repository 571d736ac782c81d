import { useEffect } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { loadedPosition, showPosition } from '#gallery/images/grid/grid-now.ts'
import { selectImage } from '#gallery/images/selection/selection-store.ts'
import { findPosition } from './find-position.ts'

/** An image that the grid scrolls to, and a callback for when it is shown. */
export interface ScrollTarget {
  readonly imageName: string
  readonly onShown: () => void
}

/** Scrolls to an image, such as a newly generated one, and selects it. */
export function useScrollToTarget(grid: GridHandle, scrollTarget: ScrollTarget | null): void {
  const api = useGallery()
  useEffect(() => {
    if (scrollTarget === null) return
    const { imageName, onShown } = scrollTarget
    let isLatest = true
    const scrollToTarget = async () => {
      // If the image is not loaded, refetch the windows: its position is then read from the server with its neighbors.
      if (loadedPosition(grid.now, imageName) === undefined) {
        const queryKey = imageKeys.windows(grid.now.view)
        await api.queryClient.invalidateQueries({ queryKey })
      }
      const position = await findPosition(api, grid.now, imageName)
      if (!isLatest) return
      onShown()
      if (position === null) return
      showPosition(grid.now, position)
      selectImage({ imageName, position })
    }
    void scrollToTarget()
    return () => {
      isLatest = false
    }
  }, [api, grid, scrollTarget])
}
