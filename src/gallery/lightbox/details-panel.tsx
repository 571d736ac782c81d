import { useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { useRef } from 'react'
import { UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useLimitWait } from '#gallery/api/connection/connection.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { queryFor } from '#gallery/api/images/search-queries.ts'
import { useTrashFacts } from '#gallery/api/trash/trash-origin.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { CopyButton } from '#gallery/ui/copy-button.tsx'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { toggleDetails } from '#gallery/ui/preferences.ts'
import { useSwipeDown } from '#gallery/ui/stage/use-stage-gestures.ts'
import { trashWordsOf } from '#gallery/ui/text/trash-words.ts'
import { useHasSidePanel } from '#gallery/ui/use-media.ts'
import { WaitingForLimit } from '#gallery/ui/waiting-for-limit.tsx'
import { negated, withCondition } from '#gallery/url/typed-conditions.ts'
import { currentPlace, goTo } from '#gallery/url/use-place.ts'
import { Marks } from './marks.tsx'
import {
  fileRows,
  isShort,
  type MetadataRow,
  makerRows,
  modelRows,
  parameterRows,
  passRows,
  promptRows,
  textOf,
  trashRows,
} from './metadata-rows.ts'
import { RawMetadata } from './raw-metadata.tsx'

interface DetailsPanelProps {
  image: ImageRecord
  /** Names of the images around this one, whose metadata is fetched in the same request. */
  part: readonly string[]
  /** Absent if the image has no workflow. */
  downloadWorkflow: Command | undefined
}

/** The metadata and file properties of an image: a panel next to it, a sheet below it, or over it without room. */
export function DetailsPanel({ image, part, downloadWorkflow }: DetailsPanelProps) {
  const { client, boardQueries } = useGallery()
  const query = metadataQueries(client).normal(image.image_name, part)
  const { data: metadata, isError, isPending } = useQuery(query)
  const limitWait = useLimitWait()
  const takesPhrases = useHasExtension('query')
  const panel = useRef<HTMLElement>(null)
  const isSheet = !useHasSidePanel()
  useBackCloses(isSheet, toggleDetails)
  useSwipeDown(panel, () => isSheet && toggleDetails())
  const facts = useTrashFacts()(image)
  const hasConditions = useHasExtension('search_conditions') && facts === null
  const find = ({ search, condition }: MetadataRow, isExcluded: boolean) => {
    if (hasConditions && condition !== undefined) addCondition(condition, isExcluded)
    else if (search !== undefined) goTo({ query: queryFor(search, takesPhrases), image: null })
  }
  const { data: boards } = useQuery(boardQueries.list())
  const boardName = image.board_id
    ? boards?.find(({ board_id }) => board_id === image.board_id)?.board_name
    : UNCATEGORIZED_BOARD_NAME
  const prompts = metadata ? promptRows(metadata) : []
  const models = metadata ? [...makerRows(metadata), ...modelRows(metadata)] : []
  const passes = metadata ? passRows(metadata) : []
  const parameters = metadata ? parameterRows(metadata) : []
  const made = [...prompts, ...models, ...parameters, ...passes]
  const ofTrash = facts === null ? [] : trashRows(image, trashWordsOf(facts))
  const ofFile = fileRows(image, metadata ?? null, facts === null ? boardName : undefined)
  return (
    <aside
      ref={panel}
      aria-label="Details"
      className="flex h-[55%] shrink-0 select-text flex-col border-line border-t bg-surface beside:h-auto beside:w-[min(20rem,50%)] beside:border-t-0 beside:border-l short:max-[30rem]:absolute short:max-[30rem]:inset-0 short:max-[30rem]:h-auto"
    >
      <header className="flex min-h-12 shrink-0 items-center justify-between py-1 pr-2 pl-4">
        <h2 className="flex-1 font-semibold">Details</h2>
        {!isPending && (
          <CopyButton label="Copy all details" text={textOf([...ofTrash, ...made, ...ofFile])} />
        )}
        <IconButton label="Close details" icon={X} onClick={toggleDetails} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-4">
        {facts === null && <Marks image={image} onFind={addCondition} />}
        {ofTrash.length > 0 && (
          <div className="mb-3 border-line border-b pb-2">
            <Rows rows={ofTrash} hasConditions={hasConditions} onFind={find} />
          </div>
        )}
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
        <Rows rows={prompts} shape="long" hasConditions={hasConditions} onFind={find} />
        <Rows rows={models} hasConditions={hasConditions} onFind={find} />
        <Rows rows={parameters} shape="pairs" hasConditions={hasConditions} onFind={find} />
        <Rows rows={passes} hasConditions={hasConditions} onFind={find} />
        {!isPending && !isError && made.length === 0 && (
          <p className="py-1 text-muted text-sm">
            {metadata?.is_unread
              ? 'The metadata of this file could not be read in time. The file still contains it.'
              : 'The file has no generation details.'}
          </p>
        )}
        <h3 className="mt-3 border-line border-t pt-3 font-semibold text-sm">File</h3>
        <Rows rows={ofFile} hasConditions={hasConditions} onFind={find} />
        {downloadWorkflow && (
          <Button className="mt-3 w-full" onClick={() => downloadWorkflow.run()}>
            <Download aria-hidden size={16} />
            {downloadWorkflow.label}
          </Button>
        )}
        {metadata && <RawMetadata imageName={image.image_name} />}
      </div>
    </aside>
  )
}

/** Adds a condition to the search, and closes the viewer. */
function addCondition(condition: string, isExcluded: boolean): void {
  const typed = isExcluded ? negated(condition) : condition
  goTo({ query: withCondition(currentPlace().query, typed), image: null })
}

interface RowsProps {
  rows: readonly MetadataRow[]
  /** `long`: text such as a prompt. `pairs`: two short values share a line. */
  shape?: 'long' | 'line' | 'pairs'
  hasConditions: boolean
  onFind: (row: MetadataRow, isExcluded: boolean) => void
}

function Rows({ rows, ...field }: RowsProps) {
  if (rows.length === 0) return null
  return (
    <dl className={field.shape === 'pairs' ? 'grid grid-cols-2 gap-x-3' : ''}>
      {rows.map((row) => (
        <DetailsField key={`${row.label} ${row.value}`} row={row} {...field} />
      ))}
    </dl>
  )
}

type DetailsFieldProps = Omit<RowsProps, 'rows'> & { row: MetadataRow }

/** One value. A click on the value adds it to the search or searches for it, and the button next to it copies it. */
function DetailsField({ row, shape = 'line', hasConditions, onFind }: DetailsFieldProps) {
  const { label, value, copied = value, search } = row
  const condition = hasConditions ? row.condition : undefined
  const text = `block w-full whitespace-pre-wrap break-words text-start text-sm ${shape === 'long' ? 'max-h-64 overflow-y-auto' : ''}`
  const place = shape === 'long' ? 'mb-2' : shape === 'pairs' && !isShort(row) ? 'col-span-2' : ''
  return (
    <div className={`group/field relative min-h-10 py-1 pr-10 pointer-coarse:min-h-12 ${place}`}>
      <dt className="text-muted text-xs">{label}</dt>
      <dd>
        {search === undefined && condition === undefined ? (
          <span dir="auto" className={text}>
            {value}
          </span>
        ) : (
          <button
            type="button"
            dir="auto"
            className={`${text} rounded-sm decoration-dotted underline-offset-4 hover:text-accent hover:underline ${shape === 'long' ? '' : 'underline decoration-line hover:decoration-current'}`}
            title={
              condition === undefined
                ? `Search for this ${label.toLowerCase()}`
                : `Add ${condition} to the search. Alt+click excludes it.`
            }
            onClick={({ altKey }) => onFind(row, altKey)}
          >
            {value}
          </button>
        )}
        <span className="absolute top-1 right-0 opacity-0 focus-within:opacity-100 group-hover/field:opacity-100 pointer-coarse:opacity-100">
          <CopyButton label={`Copy ${label.toLowerCase()}`} text={copied} />
        </span>
      </dd>
    </div>
  )
}
