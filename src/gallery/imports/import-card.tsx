import { Progress } from '@base-ui/react/progress'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type Import, isImportActive } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { CopyButton } from '#gallery/ui/copy-button.tsx'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { showFailure } from '#gallery/ui/toasts/toast.tsx'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'
import { ImportCardHeader } from './import-card-header.tsx'
import { destinationOf } from './import-destination.ts'
import { cardIdOf, closeImportCard, markImportStarted } from './import-store.ts'
import { folderNameOf, leftFilesOf, leftOutOf, shareOf } from './import-words.ts'
import { RefusedFiles } from './refused-files.tsx'

export interface ImportCardProps {
  run: Import
  /** True while the server does not answer. */
  isStale: boolean
  /** True if this browser started the import. Otherwise the card is folded initially. */
  isOwn: boolean
}

/** The progress, refused files and actions of one import. On phones it is folded at first. */
export function ImportCard({ run, isStale, isOwn }: ImportCardProps) {
  const isCompact = useIsCompact()
  const [chosen, setFolded] = useState<boolean | null>(null)
  const isFolded = chosen ?? (isCompact || !isOwn)
  const share = shareOf(run)
  const isInterrupted = run.state === 'interrupted'
  const isMidway = run.state === 'running' || run.state === 'paused' || isInterrupted
  // The progress of an interrupted import is shown only if it is known and below 100%.
  const hasBar = isInterrupted ? share !== null && share < 1 : isMidway
  return (
    <section
      id={cardIdOf(run.import_id)}
      {...focusFallback}
      aria-label={`Import of ${folderNameOf(run.folder)}`}
      className="overflow-hidden rounded-lg border border-line bg-raised shadow-floating"
    >
      <ImportCardHeader run={run} isStale={isStale} isFolded={isFolded} onFold={setFolded} />
      {hasBar && (
        <Progress.Root value={share === null ? null : Math.floor(share * 100)} aria-label="Files">
          <Progress.Track className="block h-1 bg-sunken">
            <Progress.Indicator className="block h-full bg-accent transition-[width] data-indeterminate:w-1/3 data-indeterminate:animate-pulse" />
          </Progress.Track>
        </Progress.Root>
      )}
      {!isMidway && (run.refused > 0 || run.state === 'failed') && (
        <div className="h-1 bg-danger" />
      )}
      {!isFolded && (
        <>
          <ImportFacts run={run} />
          {run.refusals.length > 0 && <RefusedFiles run={run} />}
        </>
      )}
      {!isImportActive(run) && !(isCompact && isFolded) && <ImportActions run={run} />}
    </section>
  )
}

const destinations = { folders: 'A board for each folder', none: 'Assets' }

function ImportFacts({ run }: { run: Import }) {
  const { folder, boards, board_name, linked, link, watch } = run
  // A finished import does not watch anymore.
  const stillWatches = watch && (isImportActive(run) || run.state === 'interrupted')
  const leftOut = leftOutOf(run)
  const leftFiles = leftFilesOf(run)
  const to = boards === 'one' ? board_name : destinations[boards]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1.5 border-line border-t py-3 pr-2 pl-4 text-xs">
      <Fact term="From">
        <span className="min-w-0 truncate" title={folder}>
          {folder}
        </span>
        <span className="-my-3 flex">
          <CopyButton label="Copy path of the folder" text={folder} />
        </span>
      </Fact>
      <Fact term="To">{to}</Fact>
      {link && <Fact term="Linked">{formatCount(linked)}</Fact>}
      {leftOut !== null && <Fact term="Left out">{leftOut}</Fact>}
      {leftFiles !== null && <Fact term="Left out">{leftFiles}</Fact>}
      {stillWatches && <Fact term="Then">keeps watching the folder</Fact>}
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="flex min-w-0 items-center justify-between gap-2">{children}</dd>
    </>
  )
}

/** Opens the view with the imported images, or restarts an incomplete import. */
function ImportActions({ run }: { run: Import }) {
  const { boardQueries } = useGallery()
  const boards = useQuery(boardQueries.list()).data ?? []
  const { board, label } = destinationOf(run, boards)
  const place = usePlace()
  const canShow = run.taken_in + run.known > 0 && place.board !== board
  const { state } = run
  const isIncomplete = state === 'failed' || state === 'canceled' || state === 'interrupted'
  if (!canShow && !isIncomplete) return null
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-3 py-2">
      {state === 'interrupted' && (
        <p className="mr-auto pl-1 text-muted text-xs">
          Tessera stopped before the import finished.
        </p>
      )}
      {isIncomplete && <StartAgain run={run} />}
      {canShow && <Button onClick={() => goTo({ board, image: null, query: '' })}>{label}</Button>}
    </footer>
  )
}

function StartAgain({ run }: { run: Import }) {
  const { imports } = useGallery()
  const isInterrupted = run.state === 'interrupted'
  const [isStarting, setStarting] = useState(false)
  const start = async () => {
    setStarting(true)
    try {
      markImportStarted((await imports.startAgain(run)).import_id)
      closeImportCard(run.import_id)
    } catch (error) {
      setStarting(false)
      showFailure('The import could not be started again', reasonOf(error))
    }
  }
  return (
    <Button
      tone={isInterrupted ? 'primary' : 'plain'}
      disabled={isStarting}
      onClick={() => void start()}
    >
      {isInterrupted ? 'Go on' : 'Start again'}
    </Button>
  )
}
