import { ChevronDown, ChevronUp, Pause, Play, Square, X } from 'lucide-react'
import { type Import, isUnderWay } from '#gallery/api/imports.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { importCardClosed } from './import-store.ts'
import { detailOf, titleOf, unbroken } from './import-words.ts'
import { useSteering } from './use-steering.ts'

interface ImportCardHeaderProps {
  run: Import
  isStale: boolean
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

/** The state of an import and the buttons that control it. On phones one line while the card is folded. */
export function ImportCardHeader({ run, isStale, isFolded, onFold }: ImportCardHeaderProps) {
  const steer = useSteering(run.import_id)
  const isPaused = run.state === 'paused'
  // Only the server can forget what it remembers; what has ended is closed here alone.
  const close = () =>
    run.state === 'interrupted' ? steer('dismiss') : importCardClosed(run.import_id)
  const isWaiting = isStale && isUnderWay(run)
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
          onClick={() => steer(isPaused ? 'resume' : 'pause')}
        />
      )}
      {isUnderWay(run) && (
        <IconButton
          label={run.state === 'watching' ? 'Stop watching' : 'Cancel import'}
          icon={Square}
          disabled={isStale}
          onClick={() => steer('cancel')}
        />
      )}
      <IconButton
        label={isFolded ? 'Show details' : 'Hide details'}
        icon={isFolded ? ChevronUp : ChevronDown}
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
      />
      {!isUnderWay(run) && <IconButton label="Close import" icon={X} onClick={close} />}
    </header>
  )
}
