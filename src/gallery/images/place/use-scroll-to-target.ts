import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { type GridNow, loadedRecords, showPosition } from '#gallery/images/grid/grid-now.ts'
import { selectImage } from '#gallery/images/selection/selection-store.ts'

/** An image that the grid scrolls to, and a callback for when it is shown. */
export interface ScrollTarget {
  readonly imageName: string
  readonly onShown: () => void
}

/** Scrolls to an image, such as a newly generated one, and selects it. */
export function useScrollToTarget(
  now: RefObject<GridNow>,
  scrollTarget: ScrollTarget | null,
): void {
  const client = useQueryClient()
  useEffect(() => {
    if (scrollTarget === null) return
    const { imageName, onShown } = scrollTarget
    let isLatest = true
    const scrollToTarget = async () => {
      const isLoaded = [...loadedRecords(now.current)].some(
        ([, { image_name }]) => image_name === imageName,
      )
      // If the image is not loaded, refetch the windows: its position is then read from the server with its neighbors.
      if (!isLoaded) {
        const queryKey = imageQueries.windows(now.current.view)
        await client.invalidateQueries({ queryKey })
      }
      const position = await findPosition(client, now.current, imageName)
      if (!isLatest) return
      onShown()
      if (position === null) return
      showPosition(now.current, position)
      selectImage({ imageName, position })
    }
    void scrollToTarget()
    return () => {
      isLatest = false
    }
  }, [client, now, scrollTarget])
}

/** Returns the position of an image in the current view; `null` if it is gone or the request failed. */
export async function findPosition(
  client: QueryClient,
  now: GridNow,
  imageName: string,
): Promise<number | null> {
  for (const [position, { image_name }] of loadedRecords(now)) {
    if (image_name === imageName) return position
  }
  try {
    return (await client.fetchQuery(imageQueries.position(now.view, imageName))).position
  } catch {
    return null
  }
}
