import { useEffect } from 'react'
import { onWorkNews, type WorkNews } from '#gallery/api/process-news.ts'
import { showToast } from '#gallery/ui/toast.ts'
import {
  wordsOfCopied,
  wordsOfCopying,
  wordsOfCopyProgress,
  wordsOfMissing,
  wordsOfRefusedWork,
  wordsOfStoppedWork,
  wordsOfTakenWork,
} from './work-words.ts'

/** Shows toasts for queued work and copies: progress with Cancel, results with Undo, refusals with Retry. */
export function useWorkToasts(): void {
  useEffect(() => onWorkNews(tell), [])
}

/** The open toasts by what they report, so that news replaces them and Undo by key removes them. */
const toasts = new Map<object, () => void>()

/** The delayed toasts, and the ids of toasts that are replaced while copying goes on. */
const timers = new WeakMap<object, ReturnType<typeof setTimeout>>()
const ids = new WeakMap<object, string>()

/** A copy that is finished sooner shows its result only. In milliseconds. */
const QUIET_MS = 400

function tellCopying({ deed, done, cancel }: Extract<WorkNews, { kind: 'copying' }>): void {
  clearTimeout(timers.get(deed))
  const show = () => {
    const words = { title: wordsOfCopying(deed), description: wordsOfCopyProgress(deed, done) }
    const action = { label: 'Cancel', run: cancel }
    // One toast for all parts: the same id replaces it.
    const id = ids.get(deed) ?? `copy ${performance.now()}`
    ids.set(deed, id)
    toasts.set(deed, showToast({ ...words, id, action, durationMs: Number.POSITIVE_INFINITY }))
  }
  if (done > 0) show()
  else timers.set(deed, setTimeout(show, QUIET_MS))
}

function tell(news: WorkNews): void {
  const { deed } = news
  if (news.kind === 'taken') {
    const action = { label: 'Undo', run: news.undo }
    const words = { title: wordsOfTakenWork(deed), description: wordsOfMissing(deed) }
    toasts.set(deed, showToast({ ...words, action }))
    return
  }
  if (news.kind === 'copying') {
    tellCopying(news)
    return
  }
  clearTimeout(timers.get(deed))
  toasts.get(deed)?.()
  toasts.delete(deed)
  if (news.kind === 'copied') {
    const action = { label: 'Undo', run: news.undo }
    toasts.set(deed, showToast({ title: wordsOfCopied(deed, news.copiedCount), action }))
    return
  }
  if (news.kind === 'undone') {
    // What was made is in the trash, and a toast says so already.
    if (news.imageCount === 0) showToast({ title: wordsOfStoppedWork(deed) })
    return
  }
  showToast({
    tone: 'danger',
    title: news.kind === 'refused' ? wordsOfRefusedWork(deed) : 'Couldn’t undo',
    description: news.reason,
    action: { label: 'Retry', run: news.retry },
    durationMs: Number.POSITIVE_INFINITY,
  })
}
