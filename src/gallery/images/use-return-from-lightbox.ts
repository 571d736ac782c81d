import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { findPosition } from './find-position.ts'
import { type GridNow, showPosition } from './grid-now.ts'
import { cursorMoved } from './selection-store.ts'

/** When the lightbox closes, the image that it showed last has the focus and is in sight. */
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
    void findPosition(client, now.current, imageName).then((position) => {
      if (position === null) return
      showPosition(now.current, position)
      cursorMoved({ imageName, position })
    })
  }, [client, grid, now, openImage])
}
