import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { inTrayOrder } from './tray-order.ts'
import { UPLOAD_ROW_HEIGHT, UploadRow } from './upload-row.tsx'
import { useUploads } from './upload-store.ts'

/** Every file of the queue; only those in sight are drawn. */
export function UploadList() {
  const uploads = inTrayOrder(useUploads())
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: uploads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => UPLOAD_ROW_HEIGHT,
    getItemKey: (index) => uploads[index]?.uploadId ?? index,
    overscan: 4,
  })
  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach what is out of sight.
      tabIndex={0}
      className="max-h-72 overflow-y-auto overscroll-contain outline-offset-[-2px]"
    >
      <ul aria-label="Files" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const upload = uploads[index]
          return (
            upload && (
              <li
                key={key}
                aria-setsize={uploads.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: UPLOAD_ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <UploadRow upload={upload} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
