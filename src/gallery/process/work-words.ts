import type { WorkDeed } from '#gallery/api/process-news.ts'
import { countOf, formatCount } from '#gallery/ui/count.ts'
import { isolated } from '#gallery/ui/names.ts'

/** The toast for work that was queued. */
export function wordsOfTakenWork({ kind, count, boardName }: WorkDeed): string {
  const images = countOf(count, 'image')
  return kind === 'copy'
    ? `Copying ${images} to ${isolated(boardName)}`
    : `Processing ${images}, results go to ${isolated(boardName)}`
}

/** The toast while the server copies images. */
export const wordsOfCopying = ({ count, boardName }: WorkDeed): string =>
  `Copying ${countOf(count, 'image')} to ${isolated(boardName)}…`

/** The progress of a copy; undefined before the first part is done. */
export const wordsOfCopyProgress = ({ count }: WorkDeed, done: number): string | undefined =>
  done === 0 ? undefined : `${formatCount(done)} of ${formatCount(count)}`

/** The toast for finished copies. */
export const wordsOfCopied = ({ count, boardName }: WorkDeed, copiedCount: number): string =>
  copiedCount === count
    ? `Copied ${countOf(count, 'image')} to ${isolated(boardName)}`
    : `Copied ${formatCount(copiedCount)} of ${countOf(count, 'image')} to ${isolated(boardName)}`

/** The part that was not queued because the images are gone; undefined if nothing is missing. */
export function wordsOfMissing({ count, missing = 0 }: WorkDeed): string | undefined {
  if (missing === 0) return undefined
  const verb = missing === 1 ? 'no longer exists' : 'no longer exist'
  return `${formatCount(missing)} of ${countOf(count + missing, 'image')} ${verb}.`
}

/** The toast for work that the queue refused. */
export const wordsOfRefusedWork = ({ kind, count }: WorkDeed): string =>
  `${countOf(count, 'image')} could not be ${kind === 'copy' ? 'copied' : 'processed'}`

/** The toast for work that was canceled before it produced an image. */
export const wordsOfStoppedWork = ({ kind }: WorkDeed): string =>
  `${kind === 'copy' ? 'Copying' : 'Processing'} was stopped before it produced an image`
