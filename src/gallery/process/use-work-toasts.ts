import { useEffect } from 'react'
import { onWorkNews, type WorkNews } from '#gallery/api/process-news.ts'
import { showToast } from '#gallery/ui/toast.ts'
import {
  wordsOfMissing,
  wordsOfRefusedWork,
  wordsOfStoppedWork,
  wordsOfTakenWork,
} from './work-words.ts'

/** Says what the queue was given to do, with Undo, and what it refused, with Retry. */
export function useWorkToasts(): void {
  useEffect(() => onWorkNews(tell), [])
}

/** The toasts that offer Undo, so that they go when it was undone by key. */
const toasts = new Map<object, () => void>()

function tell(news: WorkNews): void {
  const { deed } = news
  if (news.kind === 'taken') {
    const action = { label: 'Undo', run: news.undo }
    const words = { title: wordsOfTakenWork(deed), description: wordsOfMissing(deed) }
    toasts.set(deed, showToast({ ...words, action }))
    return
  }
  toasts.get(deed)?.()
  toasts.delete(deed)
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
