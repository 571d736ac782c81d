import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { type GridNow, loadedRecords, showPosition } from '#gallery/images/grid/grid-now.ts'
import { imageChosen } from '#gallery/images/selection/selection-store.ts'

/** An image that is to be led to, and what is called once it was. */
export interface Followed {
  readonly imageName: string
  readonly onShown: () => void
}

/** Leads to an image, such as one that has just been made, and selects it. */
export function useFollow(now: RefObject<GridNow>, followed: Followed | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (followed === null) return
    const { imageName, onShown } = followed
    let isLatest = true
    const follow = async () => {
      const isLoaded = [...loadedRecords(now.current)].some(
        ([, { image_name }]) => image_name === imageName,
      )
      // Where the page cannot tell where it stands, the server is asked for it and those around it.
      if (!isLoaded) {
        const queryKey = imageQueries.windows(now.current.view)
        await client.invalidateQueries({ queryKey })
      }
      const position = await findPosition(client, now.current, imageName)
      if (!isLatest) return
      onShown()
      if (position === null) return
      showPosition(now.current, position)
      imageChosen({ imageName, position })
    }
    void follow()
    return () => {
      isLatest = false
    }
  }, [client, now, followed])
}

/** Where an image stands in the view that is shown; `null` where it is gone, or no answer came. */
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
