import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-react'
import { Button } from '#gallery/ui/button.tsx'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { tryNow } from './run-uploads.ts'
import { titleOf } from './tray-summary.ts'
import { trayClosed, uploadsPaused, uploadsResumed } from './upload-actions.ts'
import { useIsPaused, useIsReading, useRetryAt, useUploadTally } from './upload-store.ts'
import { useTrayDetail } from './use-tray-detail.ts'

interface TrayHeaderProps {
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

/** The progress of all uploads and the buttons that control them, in one line on phones. */
export function TrayHeader({ isFolded, onFold }: TrayHeaderProps) {
  const tally = useUploadTally()
  const isPaused = useIsPaused()
  const isReading = useIsReading()
  const retryAt = useRetryAt()
  const detail = useTrayDetail()
  const isRunning = tally.left > 0
  const title = tally.total + tally.cancelled === 0 ? 'Reading folders' : titleOf(tally, isPaused)
  return (
    <header className="flex min-h-12 items-center gap-1 pr-2 pl-4 wide:min-h-16 wide:py-2">
      <div className="flex min-w-0 flex-1 items-baseline gap-2 wide:block">
        <h2 className="truncate font-semibold text-sm tabular-nums">{title}</h2>
        {detail !== null && (
          <p className="min-w-0 flex-1 truncate text-muted text-xs tabular-nums">{detail}</p>
        )}
      </div>
      {retryAt !== null && (
        <Button tone="quiet" onClick={tryNow}>
          Try now
        </Button>
      )}
      {isRunning &&
        (isPaused ? (
          <IconButton label="Resume uploads" icon={Play} onClick={uploadsResumed} />
        ) : (
          <IconButton label="Pause uploads" icon={Pause} onClick={uploadsPaused} />
        ))}
      <IconButton
        label={isFolded ? 'Show files' : 'Hide files'}
        icon={isFolded ? ChevronUp : ChevronDown}
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
      />
      {!isRunning && !isReading && (
        <IconButton label="Close uploads" icon={X} onClick={trayClosed} />
      )}
    </header>
  )
}
