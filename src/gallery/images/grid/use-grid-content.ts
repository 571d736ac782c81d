import { type RefObject, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { rememberedPlace } from '#gallery/images/place/remembered-place.ts'
import { useImageWindows, useMayFetch } from '#gallery/images/place/use-image-windows.ts'
import { wantedWindows } from '#gallery/images/place/wanted-windows.ts'
import type { ViewGenerations } from '#gallery/images/tiles/generation-cells.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import type { TileLayout } from '#gallery/url/place-order.ts'
import { GridHandle } from './grid-handle.ts'
import type { GridNow } from './grid-now.ts'
import { positionsToLoad } from './grid-rows.ts'
import { GridScroller } from './grid-scroller.ts'
import { useGridLayout } from './use-grid-layout.ts'
import { seenPositions } from './use-virtual-rows.ts'

interface GridContentOptions {
  view: ImageView
  noun: Noun
  isGrouping: boolean
  tileLayout: TileLayout
  viewGenerations: ViewGenerations | undefined
  element: RefObject<HTMLElement | null>
}

/** Returns the layout of a view, and the images that are loaded for the scroll position. */
export function useGridContent(options: GridContentOptions) {
  const { view, noun, isGrouping, tileLayout, viewGenerations, element } = options
  const [scroller] = useState(() => new GridScroller())
  const [remembered] = useState(() => rememberedPlace(view))
  const [knownTotal, setKnownTotal] = useState<number | undefined>(undefined)
  const size = useElementSize(element)
  const shape = useGridLayout({
    ...{ view, isGrouping, tileLayout, size, knownTotal, remembered, viewGenerations },
  })
  const { layout, total, isReady } = shape
  const viewportPx = size?.heightPx ?? 0

  // As text, so that scrolling renders the grid only when it needs other windows.
  const wantedText = useSyncExternalStore(scroller.observe, () => {
    const seen = seenPositions({ scroller, layout: isReady ? layout : null, viewportPx })
    const positions = seen && positionsToLoad(layout, seen)
    return wantedWindows({ positions, total, remembered }).join(' ')
  })
  const wanted = wantedText.split(' ').map(Number)
  const mayFetch = useMayFetch(scroller, view, wanted)
  const loaded = useImageWindows(view, size === null ? [] : wanted, mayFetch)
  if (loaded.total !== undefined && loaded.total !== knownTotal) setKnownTotal(loaded.total)
  shape.learn(loaded.windows)

  const { windows } = loaded
  // Memoized, so that only the rows render while the user scrolls through loaded images.
  const now = useMemo(
    (): GridNow => ({ view, noun, scroller, layout, total, windows }),
    [view, noun, scroller, layout, total, windows],
  )
  const [grid] = useState(() => new GridHandle(now))
  useLayoutEffect(() => grid.update(now))
  useLayoutEffect(
    () => (element.current ? grid.attach(element.current) : undefined),
    [grid, element],
  )
  return {
    /** The same object on each render. */
    grid,
    now,
    shape,
    size,
    /** False while the total of the grid is only an estimate. */
    isTotalKnown: knownTotal !== undefined,
    remembered,
    error: loaded.error ?? shape.error,
    retry: () => {
      if (loaded.error) loaded.retry()
      if (shape.error) shape.retry()
    },
  }
}
