import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-react'
import { usePacer } from '#gallery/api/connection/connection.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import {
  useIsPaused,
  useIsReading,
  useRetryAt,
  useUploads,
  useUploadTally,
  useWaitsFor,
} from '#gallery/api/uploads/upload-store.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { useSpeed } from '#gallery/ui/progress-speed.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'
import { useSecondsUntil } from '#gallery/ui/waiting-for-limit.tsx'
import { detailOf, titleOf } from './tray-summary.ts'

interface TrayHeaderProps {
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

/** The progress of all uploads and the buttons that control them. */
export function TrayHeader({ isFolded, onFold }: TrayHeaderProps) {
  const { uploads } = useGallery()
  const tally = useUploadTally()
  const isPaused = useIsPaused()
  const isReading = useIsReading()
  const retryAt = useRetryAt()
  const detail = useTrayDetail()
  const isRunning = tally.left > 0
  const title = tally.total + tally.cancelled === 0 ? 'Reading folders' : titleOf(tally, isPaused)
  return (
    <header className="flex min-h-12 items-center gap-1 pr-2 pl-4 wide:min-h-16 wide:py-2">
      <div className="min-w-0 flex-1 py-1">
        <h2 className="truncate font-semibold text-sm leading-5 tabular-nums">{title}</h2>
        {typeof detail === 'string' && (
          // The seconds are at the end.
          <p className="line-clamp-2 text-muted text-xs tabular-nums">{detail}</p>
        )}
        {Array.isArray(detail) && <Parts parts={detail} />}
      </div>
      {retryAt !== null && (
        <Button tone="quiet" onClick={() => uploads.retryNow()}>
          Try now
        </Button>
      )}
      {isRunning &&
        (isPaused ? (
          <IconButton label="Resume uploads" icon={Play} onClick={() => uploads.resume()} />
        ) : (
          <IconButton label="Pause uploads" icon={Pause} onClick={() => uploads.pause()} />
        ))}
      <IconButton
        label={isFolded ? 'Show files' : 'Hide files'}
        icon={isFolded ? ChevronUp : ChevronDown}
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
      />
      {!isRunning && !isReading && (
        <IconButton label="Close uploads" icon={X} onClick={() => uploads.close()} />
      )}
    </header>
  )
}

/** One line of text. The parts that do not fit wrap to a second line, which is hidden. */
function Parts({ parts }: { parts: readonly string[] }) {
  return (
    <p className="flex h-4 flex-wrap overflow-hidden text-muted text-xs tabular-nums">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
        <span key={index} className="max-w-full truncate whitespace-pre">
          {index > 0 && ' · '}
          {part}
        </span>
      ))}
    </p>
  )
}

/** Returns the second line of the tray: the reason for waiting, or the parts of the progress; null for neither. */
function useTrayDetail(): string | string[] | null {
  const tally = useUploadTally()
  const uploads = useUploads()
  const isPaused = useIsPaused()
  const isReading = useIsReading()
  const retryAt = useRetryAt()
  const waitsFor = useWaitsFor()
  const pacer = usePacer()
  const isRunning = tally.left > 0 && !isPaused
  const { store } = useGallery().uploads
  const speed = useSpeed(isRunning && retryAt === null, () => {
    const { bytesDone, bytesFound, bytesLeft } = store.current().tally
    return { amountDone: bytesDone - bytesFound, amountLeft: bytesLeft }
  })
  const isHeld =
    pacer.nextAt !== null &&
    isRunning &&
    uploads.every(
      ({ status, sentBytes }) =>
        status !== 'processing' && !(status === 'sending' && sentBytes > 0),
    )
  const seconds = Math.max(1, useSecondsUntil(retryAt ?? (isHeld ? pacer.nextAt : null)))
  if (retryAt !== null) {
    const reason = waitsFor === null ? 'No connection. Trying again in' : `${waitsFor} is away,`
    return `${reason} ${seconds} s`
  }
  if (isHeld) return `Waiting for the server’s request limit, ${seconds} s`
  if (tally.left > 0) return detailOf(tally, speed)
  if (isReading) return 'Looking for files'
  return tally.done > 0 ? formatBytes(tally.bytesDone) : null
}
