import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { rangeTicked, tickChanged } from './trash-store.ts'
import { TrashedTile } from './trashed-tile.tsx'

interface TrashedImagesProps {
  images: readonly ImageRecord[]
  /** The width of a tile in the other views, in CSS pixels. */
  wantedTilePx: number
  /** Days that images are kept in the trash; undefined while not known. */
  days: number | undefined
  onView: (imageName: string) => void
  scroller: RefObject<HTMLElement | null>
  /** The end is near, and there is more. */
  onNearEnd: () => void
}

const GAP_PX = 8

/** The images of the trash. Only those on the screen are rendered. */
export function TrashedImages(props: TrashedImagesProps) {
  const { images, wantedTilePx, days, onView, scroller, onNearEnd } = props
  const list = useRef<HTMLUListElement>(null)
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    if (list.current === null) return
    const node = list.current
    const observer = new ResizeObserver(() => setWidthPx(node.clientWidth))
    setWidthPx(node.clientWidth)
    observer.observe(node)
    return () => observer.disconnect()
  }, [])

  const columns = Math.max(1, Math.round((widthPx + GAP_PX) / (wantedTilePx + GAP_PX)))
  const tilePx = Math.max(0, Math.floor((widthPx - GAP_PX * (columns - 1)) / columns))
  const rowCount = widthPx === 0 ? 0 : Math.ceil(images.length / columns)
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => tilePx + GAP_PX,
    overscan: 4,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes that it kept are those of other tiles
  useEffect(() => virtualizer.measure(), [tilePx])

  const rows = virtualizer.getVirtualItems()
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= rowCount - 5
  useEffect(() => {
    if (isNearEnd && images.length > 0) onNearEnd()
  }, [isNearEnd, images.length, onNearEnd])

  return (
    <ul
      ref={list}
      aria-label="Images in the trash"
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {rows.flatMap(({ index: row, start }) =>
        images.slice(row * columns, (row + 1) * columns).map((image, column) => (
          <li
            key={image.image_name}
            aria-setsize={images.length}
            aria-posinset={row * columns + column + 1}
            className="absolute"
            style={{
              top: start - virtualizer.options.scrollMargin,
              left: column * (tilePx + GAP_PX),
            }}
          >
            <TrashedTile
              image={image}
              tilePx={tilePx}
              days={days}
              onTick={(isTicked, isRange) =>
                isRange
                  ? rangeTicked(
                      image.image_name,
                      images.map(({ image_name }) => image_name),
                    )
                  : tickChanged(image.image_name, isTicked)
              }
              onView={() => onView(image.image_name)}
            />
          </li>
        )),
      )}
    </ul>
  )
}
