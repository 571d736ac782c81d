import { Progress } from '@base-ui/react/progress'
import { useState } from 'react'
import { type Import, isUnderWay } from '#gallery/api/imports.ts'
import { focusFallback } from '#gallery/ui/focus.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { ImportActions } from './import-actions.tsx'
import { ImportCardHeader } from './import-card-header.tsx'
import { ImportFacts } from './import-facts.tsx'
import { cardIdOf } from './import-store.ts'
import { folderNameOf, shareOf } from './import-words.ts'
import { RefusedFiles } from './refused-files.tsx'

interface ImportCardProps {
  run: Import
  /** True while the server does not answer. */
  isStale: boolean
  /** Whether this browser started it. Otherwise it is one line at first. */
  isOwn: boolean
}

/** One import: its progress, refused files, and actions. On phones it is one line until a person unfolds it. */
export function ImportCard({ run, isStale, isOwn }: ImportCardProps) {
  const isCompact = useIsCompact()
  const [chosen, setFolded] = useState<boolean | null>(null)
  const isFolded = chosen ?? (isCompact || !isOwn)
  const share = shareOf(run)
  const isCutOff = run.state === 'interrupted'
  const isMidway = run.state === 'running' || run.state === 'paused' || isCutOff
  // Where it was cut off stands only where it is known, and was not the end.
  const hasBar = isCutOff ? share !== null && share < 1 : isMidway
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
      {!isUnderWay(run) && !(isCompact && isFolded) && <ImportActions run={run} />}
    </section>
  )
}
