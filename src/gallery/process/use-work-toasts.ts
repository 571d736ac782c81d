import { useEffect } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { WorkAction, WorkEvent } from '#gallery/api/process/work-events.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { ActionToasts, showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'

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
    const isCopy = action.kind === 'copy'
    const images = countOf(action.count, action.noun ?? 'image')
    const board = isolated(action.boardName)
    if (news.kind === 'taken') {
      const title = isCopy
        ? `Copying ${images} to ${board}`
        : `Processing ${images}, results go to ${board}`
      const undo = { label: 'Undo', run: news.undo }
      this.#toasts.show(action, { title, description: wordsOfMissing(action), action: undo })
      return
    }
    clearTimeout(this.#timers.get(action))
    if (news.kind === 'copying') {
      const { done, cancel } = news
      const title = `Copying ${images} to ${board}…`
      const description =
        done === 0 ? undefined : `${formatCount(done)} of ${formatCount(action.count)}`
      const stop = { label: 'Cancel', run: cancel }
      const show = () => this.#toasts.showProgress(action, { title, description, action: stop })
      if (done > 0) show()
      else this.#timers.set(action, setTimeout(show, QUIET_MS))
      return
    }
    this.#toasts.close(action)
    switch (news.kind) {
      case 'copied': {
        const part = news.copiedCount === action.count ? '' : `${formatCount(news.copiedCount)} of `
        const undo = { label: 'Undo', run: news.undo }
        this.#toasts.show(action, { title: `Copied ${part}${images} to ${board}`, action: undo })
        return
      }
      case 'undone': {
        if (action.kind === 'upload' || action.kind === 'import') {
          const added = countOf(news.imageCount, action.noun ?? 'image')
          showToast({ title: `Undid: moved ${added} to the trash` })
          return
        }
        const work = isCopy ? 'Copying' : 'Processing'
        if (news.imageCount === 0) {
          showToast({ title: `${work} was stopped before it produced an image` })
          return
        }
        const made = countOf(
          news.imageCount,
          isCopy ? 'copy' : 'result',
          isCopy ? 'copies' : undefined,
        )
        showToast({ title: `Undid: moved ${made} to the trash` })
        return
      }
      case 'refused': {
        const title = `${images} could not be ${isCopy ? 'copied' : 'processed'}`
        showFailure(title, news.reason, news.retry, Infinity)
      }
    }
  }
}

/** Returns the part that was not queued because the images are gone; undefined if nothing is missing. */
function wordsOfMissing({ count, missing = 0, noun = 'image' }: WorkAction): string | undefined {
  if (missing === 0) return undefined
  const verb = missing === 1 ? 'no longer exists' : 'no longer exist'
  return `${formatCount(missing)} of ${countOf(count + missing, noun)} ${verb}.`
}
