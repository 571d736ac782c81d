import type { Noun } from '#gallery/api/images/noun.ts'
import type { UploadTally } from '#gallery/api/uploads/upload-tally.ts'
import type { Speed } from '#gallery/ui/progress-speed.ts'
import { countOf, formatBytes, formatCount } from '#gallery/ui/text/count.ts'
import { formatTimeLeft } from '#gallery/ui/text/time-left.ts'

export function titleOf(tally: UploadTally, isPaused: boolean): string {
  const { total, done, failed, known, left, cancelled } = tally
  if (left > 0) {
    return `${isPaused ? 'Paused:' : 'Uploading:'} ${formatCount(done)} of ${formatCount(total)}`
  }
  const parts = [
    done > 0 && `${formatCount(done)} uploaded`,
    known > 0 && `${formatCount(known)} already here`,
    failed > 0 && `${formatCount(failed)} failed`,
    cancelled > 0 && `${formatCount(cancelled)} canceled`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** Returns the parts of the second line of the tray, the most important first. Narrow trays leave out the last ones. */
export function detailOf(tally: UploadTally, speed: Speed | null): string[] {
  const parts = [
    tally.failed > 0 && `${formatCount(tally.failed)} failed`,
    speed !== null && formatTimeLeft(speed.leftMs),
    speed !== null && `${formatBytes(speed.perSecond)}/s`,
    `${formatBytes(tally.bytesDone)} of ${formatBytes(tally.bytes)}`,
  ]
  return parts.filter((part) => part !== false)
}

/** Returns the screen reader announcement at the end of a queue. */
export function announcementOf(
  { done, known, failed, cancelled }: UploadTally,
  noun: Noun = 'image',
): string {
  const parts = [
    done > 0 && `${countOf(done, noun)} uploaded`,
    known > 0 && `${countOf(known, 'file')} already here`,
    failed > 0 && `${countOf(failed, 'file')} failed`,
    cancelled > 0 && `${countOf(cancelled, 'file')} canceled`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}
