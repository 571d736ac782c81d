import { useEffect, useLayoutEffect, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { ScrollAnchor, type ScrollAnchorOptions } from './scroll-anchor.ts'

interface UseScrollAnchorOptions
  extends Pick<ScrollAnchorOptions, 'grid' | 'remembered' | 'onLead'> {
  /** 0 while there is no layout yet. */
  readonly viewportPx: number
  /** False while the total of the grid is only an estimate. */
  readonly isTotalKnown: boolean
}

/** Keeps the visible images at their place on the screen with a {@link ScrollAnchor}. */
export function useScrollAnchor(options: UseScrollAnchorOptions) {
  const { grid, remembered, onLead, viewportPx, isTotalKnown } = options
  const api = useGallery()
  const [newAbove, onNewAbove] = useState(0)
  const [anchor] = useState(() => new ScrollAnchor({ grid, api, remembered, onLead, onNewAbove }))
  useLayoutEffect(() => anchor.afterRender(viewportPx, isTotalKnown))
  useEffect(() => anchor.watch(), [anchor])
  return {
    setPivot: anchor.setPivot,
    /** Number of images inserted above since the user left the top. */
    newAbove,
  }
}
