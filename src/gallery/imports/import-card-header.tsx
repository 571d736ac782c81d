import { ChevronDown, ChevronUp, Pause, Play, Square, X } from 'lucide-react'
import { useRef } from 'react'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type Import, isImportActive } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { showFailure } from '#gallery/ui/toasts/toast.tsx'
import { closeImportCard } from './import-store.ts'
import { detailOf, titleOf, unbroken } from './import-words.ts'

interface ImportCardHeaderProps {
  run: Import
  isStale: boolean
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

/** The state of an import and the buttons that control it. On phones a folded card is one line. */
export function ImportCardHeader({ run, isStale, isFolded, onFold }: ImportCardHeaderProps) {
  const act = useImportActions(run.import_id)
  const isPaused = run.state === 'paused'
  // An interrupted import is stored on the server, so closing its card deletes it there. Finished
  // ones are closed only in this browser.
  const close = () =>
    run.state === 'interrupted' ? act('dismiss') : closeImportCard(run.import_id)
  const isWaiting = isStale && isImportActive(run)
  return (
    <header className="flex min-h-12 items-center gap-1 pr-2 pl-4 wide:min-h-16 wide:py-2">
      <div className={`min-w-0 flex-1 ${isFolded ? 'flex items-baseline gap-2 wide:block' : ''}`}>
        <h2 className="truncate font-semibold text-sm" title={run.folder}>
          {titleOf(run)}
        </h2>
        <p
          className={`text-muted text-xs tabular-nums ${isFolded ? 'min-w-0 flex-1 truncate wide:whitespace-normal wide:break-words' : 'break-words'}`}
        >
          {isWaiting
            ? 'The server does not answer. Waiting for it.'
            : (run.error ?? unbroken(detailOf(run)))}
        </p>
      </div>
      {(run.state === 'running' || isPaused) && (
        <IconButton
          label={isPaused ? 'Resume import' : 'Pause import'}
          icon={isPaused ? Play : Pause}
          disabled={isStale}
          onClick={() => act(isPaused ? 'resume' : 'pause')}
        />
      )}
      {isImportActive(run) && (
        <IconButton
          label={run.state === 'watching' ? 'Stop watching' : 'Cancel import'}
          icon={Square}
          disabled={isStale}
          onClick={() => act('cancel')}
        />
      )}
      <IconButton
        label={isFolded ? 'Show details' : 'Hide details'}
        icon={isFolded ? ChevronUp : ChevronDown}
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
      />
      {!isImportActive(run) && <IconButton label="Close import" icon={X} onClick={close} />}
    </header>
  )
}

/** Action on an import. `dismiss` discards an interrupted one. */
type ImportAction = Parameters<GalleryApi['imports']['steer']>[1] | 'dismiss'

const failures: Readonly<Record<ImportAction, string>> = {
  pause: 'The import could not be paused',
  resume: 'The import could not be resumed',
  cancel: 'The import could not be canceled',
  dismiss: 'The import could not be closed',
}

/** Returns a function that runs an action on an import, one at a time, and shows a toast if it fails. */
function useImportActions(importId: string): (action: ImportAction) => void {
  const { imports } = useGallery()
  const isPending = useRef(false)
  const run = (action: ImportAction): void => {
    if (isPending.current) return
    isPending.current = true
    runAction(imports, importId, action)
      .catch((error: unknown) => showFailure(failures[action], reasonOf(error), () => run(action)))
      .finally(() => {
        isPending.current = false
      })
  }
  return run
}

async function runAction(
  imports: GalleryApi['imports'],
  importId: string,
  action: ImportAction,
): Promise<void> {
  await imports.steer(importId, action === 'dismiss' ? 'cancel' : action)
  // Hide the card, so that the canceled import in the response does not flash up.
  if (action === 'dismiss') closeImportCard(importId)
}
