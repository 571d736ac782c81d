import { usePacer } from '#gallery/api/limit-wait.ts'
import { formatBytes } from '#gallery/ui/count.ts'
import { useNow } from '#gallery/ui/use-now.ts'
import { detailOf } from './tray-summary.ts'
import {
  useIsPaused,
  useIsReading,
  useRetryAt,
  useUploads,
  useUploadTally,
} from './upload-store.ts'
import { useTimeLeft } from './use-time-left.ts'

/** The second line of the tray: what it waits for, else how much is left; null when there is nothing to say. */
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
  const now = useNow(isHeld || retryAt !== null)
  const secondsUntil = (at: number) => Math.max(1, Math.ceil((at - now) / 1000))

  if (retryAt !== null) return `No connection. Trying again in ${secondsUntil(retryAt)} s`
  if (isReading && tally.left === 0) return 'Looking for images'
  if (tally.left === 0) return tally.done > 0 ? formatBytes(tally.bytesDone) : null
  if (isHeld && pacer.nextAt !== null) {
    return `Waiting for the server’s request limit, ${secondsUntil(pacer.nextAt)} s`
  }
  return detailOf(tally, leftMs)
}
