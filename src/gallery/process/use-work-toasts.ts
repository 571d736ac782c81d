import { useEffect } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { WorkAction, WorkEvent } from '#gallery/api/process/process-work.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { ActionToasts, showFailure, showToast } from '#gallery/ui/toast.tsx'

/** Shows toasts for queued work and copies: progress with Cancel, results with Undo, refusals with Retry. */
export function useWorkToasts(): void {
  const { workEvents } = useGallery()
  useEffect(() => {
    const toasts = new WorkToasts()
    return workEvents.add((news) => toasts.report(news))
  }, [workEvents])
}

/** A copy that finishes sooner shows only its result. In milliseconds. */
const QUIET_MS = 400

/** The toasts of queued work and copies. Newer events of an action replace its toast, and Undo by key closes it. */
class WorkToasts {
  readonly #toasts = new ActionToasts()
  /** Timers of the toasts that are delayed by {@link QUIET_MS}. */
  readonly #timers = new WeakMap<object, ReturnType<typeof setTimeout>>()

  report(news: WorkEvent): void {
    const { action } = news
    if (news.kind === 'taken') {
      const words = { title: wordsOfTakenWork(action), description: wordsOfMissing(action) }
      this.#toasts.show(action, { ...words, action: { label: 'Undo', run: news.undo } })
      return
    }
    if (news.kind === 'copying') {
      this.#reportCopying(news)
      return
    }
    clearTimeout(this.#timers.get(action))
    this.#toasts.close(action)
    if (news.kind === 'copied') {
      const title = wordsOfCopied(action, news.copiedCount)
      this.#toasts.show(action, { title, action: { label: 'Undo', run: news.undo } })
      return
    }
    if (news.kind === 'undone') {
      // The created images are in the trash, and another toast reports that.
      if (news.imageCount === 0) showToast({ title: wordsOfStoppedWork(action) })
      return
    }
    const title = news.kind === 'refused' ? wordsOfRefusedWork(action) : 'Couldn’t undo'
    showFailure(title, news.reason, news.retry, Infinity)
  }

  #reportCopying({ action, done, cancel }: Extract<WorkEvent, { kind: 'copying' }>): void {
    clearTimeout(this.#timers.get(action))
    const show = () =>
      this.#toasts.showProgress(action, {
        title: wordsOfCopying(action),
        description: wordsOfCopyProgress(action, done),
        action: { label: 'Cancel', run: cancel },
      })
    if (done > 0) show()
    else this.#timers.set(action, setTimeout(show, QUIET_MS))
  }
}

function wordsOfTakenWork({ kind, count, boardName }: WorkAction): string {
  const images = countOf(count, 'image')
  return kind === 'copy'
    ? `Copying ${images} to ${isolated(boardName)}`
    : `Processing ${images}, results go to ${isolated(boardName)}`
}

const wordsOfCopying = ({ count, boardName }: WorkAction): string =>
  `Copying ${countOf(count, 'image')} to ${isolated(boardName)}…`

/** Returns the progress of a copy; undefined before the first part is done. */
const wordsOfCopyProgress = ({ count }: WorkAction, done: number): string | undefined =>
  done === 0 ? undefined : `${formatCount(done)} of ${formatCount(count)}`

const wordsOfCopied = ({ count, boardName }: WorkAction, copiedCount: number): string =>
  copiedCount === count
    ? `Copied ${countOf(count, 'image')} to ${isolated(boardName)}`
    : `Copied ${formatCount(copiedCount)} of ${countOf(count, 'image')} to ${isolated(boardName)}`

/** Returns the part that was not queued because the images are gone; undefined if nothing is missing. */
function wordsOfMissing({ count, missing = 0 }: WorkAction): string | undefined {
  if (missing === 0) return undefined
  const verb = missing === 1 ? 'no longer exists' : 'no longer exist'
  return `${formatCount(missing)} of ${countOf(count + missing, 'image')} ${verb}.`
}

const wordsOfRefusedWork = ({ kind, count }: WorkAction): string =>
  `${countOf(count, 'image')} could not be ${kind === 'copy' ? 'copied' : 'processed'}`

/** Returns the toast for work that was canceled before it produced an image. */
const wordsOfStoppedWork = ({ kind }: WorkAction): string =>
  `${kind === 'copy' ? 'Copying' : 'Processing'} was stopped before it produced an image`
