import type { WorkDeed } from '#gallery/api/process-news.ts'
import { countOf } from '#gallery/ui/count.ts'

/** What the queue was given to do. */
export function wordsOfTakenWork({ kind, count, boardName }: WorkDeed): string {
  const images = countOf(count, 'image')
  return kind === 'copy'
    ? `Copying ${images} to ${boardName}`
    : `Processing ${images}, results go to ${boardName}`
}

/** What the queue did not take. */
export const wordsOfRefusedWork = ({ kind, count }: WorkDeed): string =>
  `${countOf(count, 'image')} could not be ${kind === 'copy' ? 'copied' : 'processed'}`

/** What was stopped before anything came of it. */
export const wordsOfStoppedWork = ({ kind }: WorkDeed): string =>
  `${kind === 'copy' ? 'Copying' : 'Processing'} was stopped before anything was made`
