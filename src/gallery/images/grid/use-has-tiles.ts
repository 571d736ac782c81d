import { startTransition, useEffect, useState } from 'react'
import { usePictures } from '#gallery/images/tiles/pictures.ts'

/**
 * Returns false until the grid should render its tiles. The first tiles of the page are a transition, so React renders
 * them in slices. In one task they would block a slow phone for half a second.
 *
 * @param isReady - The grid knows its layout and its first records.
 */
export function useHasTiles(isReady: boolean): boolean {
  const { shown } = usePictures()
  const [hasTiles, setHasTiles] = useState(shown.hasAny)
  useEffect(() => {
    if (isReady && !hasTiles) startTransition(() => setHasTiles(true))
  }, [isReady, hasTiles])
  return hasTiles
}
