import type { WorkDeed } from '#gallery/api/process-news.ts'
import { countOf, formatCount } from '#gallery/ui/count.ts'

/** What the queue was given to do. */
export function wordsOfTakenWork({ kind, count, boardName }: WorkDeed): string {
  const images = countOf(count, 'image')
  return kind === 'copy'
    ? `Copying ${images} to ${boardName}`
    : `Processing ${images}, results go to ${boardName}`
}

/** What of it the queue was not given; undefined: nothing. */
export function wordsOfMissing({ count, missing = 0 }: WorkDeed): string | undefined {
  if (missing === 0) return undefined
  const others = missing === 1 ? 'is' : 'are'
  return `${formatCount(missing)} of ${countOf(count + missing, 'image')} ${others} not there any more.`
}

/** What the queue did not take. */
export const wordsOfRefusedWork = ({ kind, count }: WorkDeed): string =>
  `${countOf(count, 'image')} could not be ${kind === 'copy' ? 'copied' : 'processed'}`

/** What was stopped before anything came of it. */
export const wordsOfStoppedWork = ({ kind }: WorkDeed): string =>
  `${kind === 'copy' ? 'Copying' : 'Processing'} was stopped before anything was made`
