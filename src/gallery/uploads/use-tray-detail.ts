import { usePacer } from '#gallery/api/limit-wait.ts'
import { formatBytes } from '#gallery/ui/count.ts'
import { useSecondsUntil } from '#gallery/ui/use-seconds-until.ts'
import { detailOf } from './tray-summary.ts'
import {
  useIsPaused,
  useIsReading,
  useRetryAt,
  useUploads,
  useUploadTally,
} from './upload-store.ts'
import { useTimeLeft } from './use-time-left.ts'

/** The second line of the tray: the reason of a wait, or how much is left; null for neither. */
export function useTrayDetail(): string | null {
  const tally = useUploadTally()
  const uploads = useUploads()
  const isPaused = useIsPaused()
  const isReading = useIsReading()
  const retryAt = useRetryAt()
  const pacer = usePacer()
  const isRunning = tally.left > 0 && !isPaused
  const leftMs = useTimeLeft(isRunning && retryAt === null)
  const isHeld =
    pacer.nextAt !== null &&
    isRunning &&
    uploads.every(
      ({ status, sentBytes }) =>
        status !== 'processing' && !(status === 'sending' && sentBytes > 0),
    )
  const seconds = Math.max(1, useSecondsUntil(retryAt ?? (isHeld ? pacer.nextAt : null)))

  if (retryAt !== null) return `No connection. Trying again in ${seconds} s`
  if (isReading && tally.left === 0) return 'Looking for images'
  if (tally.left === 0) return tally.done > 0 ? formatBytes(tally.bytesDone) : null
  if (isHeld) return `Waiting for the server’s request limit, ${seconds} s`
  return detailOf(tally, leftMs)
}
