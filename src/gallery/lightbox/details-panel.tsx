import { useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { useRef } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useHasExtension } from '#gallery/api/capabilities.ts'
import { useLimitWait } from '#gallery/api/limit-wait.ts'
import { metadataQueries } from '#gallery/api/metadata-queries.ts'
import { useBackCloses } from '#gallery/ui/back.ts'
import { Button } from '#gallery/ui/button.tsx'
import { detailsToggled } from '#gallery/ui/details-preference.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import type { Command } from '#gallery/ui/menu.tsx'
import { useIsBeside } from '#gallery/ui/use-media.ts'
import { WaitingForLimit } from '#gallery/ui/waiting-for-limit.tsx'
import { goTo } from '#gallery/url/use-place.ts'
import { DetailsField } from './details-field.tsx'
import {
  fileRows,
  generationRows,
  type MetadataRow,
  promptRows,
  queryFor,
} from './metadata-rows.ts'
import { RawMetadata } from './raw-metadata.tsx'
import { useSwipeDown } from './use-stage-gestures.ts'

interface DetailsPanelProps {
  image: ImageRecord
  /** Names of the images around it, whose metadata one request reads. */
  part: readonly string[]
  /** Absent if the image has no workflow. */
  downloadWorkflow: Command | undefined
}

/** The metadata and file facts of an image: a panel next to it, a sheet below it on a narrow
 * screen, or instead of it where there is no room for both. */
export function DetailsPanel({ image, part, downloadWorkflow }: DetailsPanelProps) {
  const query = metadataQueries.normal(image.image_name, part)
  const { data: metadata, isError, isPending } = useQuery(query)
  const limitWait = useLimitWait()
  const takesPhrases = useHasExtension('query')
  const panel = useRef<HTMLElement>(null)
  const isSheet = !useIsBeside()
  useBackCloses(isSheet, detailsToggled)
  useSwipeDown(panel, () => isSheet && detailsToggled())
  const search = (value: string) => goTo({ query: queryFor(value, takesPhrases), image: null })
  const made = metadata ? [...promptRows(metadata), ...generationRows(metadata)] : []
  return (
    <aside
      ref={panel}
      aria-label="Details"
      className="flex h-[55%] shrink-0 select-text flex-col border-line border-t bg-surface beside:h-auto beside:w-[min(20rem,50%)] beside:border-t-0 beside:border-l short:max-[30rem]:absolute short:max-[30rem]:inset-0 short:max-[30rem]:h-auto"
    >
      <header className="flex min-h-12 shrink-0 items-center justify-between py-1 pr-2 pl-4">
        <h2 className="font-semibold">Details</h2>
        <IconButton label="Close details" icon={X} onClick={detailsToggled} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-4">
        {isPending && (
          <p className="py-1 text-muted text-sm">
            {limitWait === null ? 'Loading details…' : <WaitingForLimit until={limitWait} />}
          </p>
        )}
        {isError && (
          <p role="alert" className="py-1 text-danger text-sm">
            Couldn’t load generation details.
          </p>
        )}
        {made.length > 0 && metadata && (
          <>
            <Rows rows={promptRows(metadata)} areLong onSearch={search} />
            <Rows rows={generationRows(metadata)} onSearch={search} />
          </>
        )}
        {!isPending && !isError && made.length === 0 && (
          <p className="py-1 text-muted text-sm">
            {metadata?.is_unread
              ? 'The metadata of this file could not be read in time. The file still contains it.'
              : 'The file has no generation details.'}
          </p>
        )}
        <h3 className="mt-3 border-line border-t pt-3 font-semibold text-sm">File</h3>
        <Rows rows={fileRows(image, metadata ?? null)} onSearch={search} />
        {downloadWorkflow && (
          <Button className="mt-3 w-full" onClick={downloadWorkflow.run}>
            <Download aria-hidden size={16} />
            {downloadWorkflow.label}
          </Button>
        )}
        {metadata && <RawMetadata imageName={image.image_name} />}
      </div>
    </aside>
  )
}

interface RowsProps {
  rows: readonly MetadataRow[]
  areLong?: boolean
  onSearch: (value: string) => void
}

function Rows({ rows, areLong = false, onSearch }: RowsProps) {
  return (
    <dl>
      {rows.map((row) => (
        <DetailsField
          key={`${row.label} ${row.value}`}
          row={row}
          isLong={areLong}
          onSearch={onSearch}
        />
      ))}
    </dl>
  )
}
