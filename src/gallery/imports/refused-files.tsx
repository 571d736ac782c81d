import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type Import, refusalsQuery } from '#gallery/api/imports.ts'
import { CopyButton } from '#gallery/ui/copy-button.tsx'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { useVirtualList } from '#gallery/ui/use-virtual-list.ts'
import { folderNameOf, refusalsAsText } from './import-words.ts'

const ROW_HEIGHT = 44

/** The list of refused files with the reasons. Only visible rows are rendered. */
export function RefusedFiles({ run }: { run: Import }) {
  const { client } = useGallery()
  const { refused } = run
  const refusals = useQuery(refusalsQuery(client, run)).data ?? run.refusals
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualList({
    count: refusals.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  })
  return (
    <section aria-label="Refused files" className="border-line border-t">
      <header className="flex items-center justify-between py-1 pr-2 pl-4">
        <h3 className="font-medium text-danger text-xs">
          {countOf(refused, 'file')} refused
          {refused > refusals.length && `, the first ${formatCount(refusals.length)} of them here`}
        </h3>
        <CopyButton label="Copy refused files" text={refusalsAsText(refusals)} />
      </header>
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the list.
        tabIndex={0}
        className="mb-2 max-h-44 overflow-y-auto overscroll-contain -outline-offset-2"
      >
        <ul className="relative" style={{ height: rows.totalPx }}>
          {rows.items.map(({ index, key, start }) => {
            const file = refusals[index]
            return (
              file && (
                <li
                  key={key}
                  aria-setsize={refusals.length}
                  aria-posinset={index + 1}
                  className="absolute inset-x-0 top-0 px-4 py-1"
                  style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
                >
                  <p className="truncate text-sm leading-5" title={file.path}>
                    {folderNameOf(file.path)}
                  </p>
                  <p className="truncate text-muted text-xs leading-4" title={file.reason}>
                    {file.reason}
                  </p>
                </li>
              )
            )
          })}
        </ul>
      </div>
    </section>
  )
}
