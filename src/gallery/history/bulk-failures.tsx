import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type BulkChange, failedNamesQuery } from '#gallery/api/outbox/bulk-changes.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { useVirtualList } from '#gallery/ui/use-virtual-list.ts'

const ROW_HEIGHT = 52

/** The images that a change could not change, with the reasons. Only visible rows are rendered. */
export function BulkFailures({ change }: { change: BulkChange }) {
  const { client, outbox } = useGallery()
  const { id, failed } = change
  const fileNames = useQuery(failedNamesQuery(client, change)).data
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualList({
    count: failed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => failed[index]?.name ?? index,
    overscan: 4,
  })
  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the list.
      tabIndex={0}
      className="max-h-72 overflow-y-auto overscroll-contain border-line border-t -outline-offset-2"
    >
      <ul aria-label="Failed images" className="relative" style={{ height: rows.totalPx }}>
        {rows.items.map(({ index, key, start }) => {
          const image = failed[index]
          if (!image) return null
          const { name, reason } = image
          const fileName = image.fileName || fileNames?.get(name) || name
          return (
            <li
              key={key}
              aria-setsize={failed.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 flex items-center gap-2 pr-2 pl-4"
              style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
            >
              <div className="min-w-0 flex-1">
                <p dir="auto" className="truncate text-sm" title={fileName}>
                  {fileName}
                </p>
                <p className="truncate text-danger text-xs" title={reason}>
                  {reason}
                </p>
              </div>
              <IconButton
                label={`Retry ${fileName}`}
                icon={RotateCcw}
                onClick={() => outbox.bulk.retry(id, name)}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
