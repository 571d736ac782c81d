import { useEffect } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { OutboxEvent } from '#gallery/api/outbox/outbox-events.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { showToast } from '#gallery/ui/toast.tsx'
import {
  partOf,
  wordsOfGoneParts,
  wordsOfNothing,
  wordsOfParts,
  wordsOfRefused,
  wordsOfTaken,
  wordsOfUndone,
} from './step-words.ts'

/** Shows toasts for changes with Undo, and for refused changes with Retry. */
export function useOutboxToasts(): void {
  const { outbox } = useGallery()
  useEffect(() => outbox.events.add(report), [outbox])
}

/** The toasts with Undo, so that they close when the change is undone by key. */
const toasts = new Map<object, () => void>()

/** IDs of toasts that show progress, which later toasts replace. */
const ids = new WeakMap<object, string>()

/** IDs of toasts that show the progress of an Undo. */
const returnIds = new WeakMap<object, string>()

function report(news: OutboxEvent): void {
  switch (news.kind) {
    case 'taken': {
      const words = wordsOfTaken(news.action)
      if (words === null) return
      const id = ids.get(news.action)
      const action = { label: 'Undo', run: news.undo }
      toasts.set(news.action, showToast({ ...words, action, ...(id !== undefined && { id }) }))
      return
    }
    case 'in parts': {
      const id = idFor(ids, news.action)
      const words = wordsOfParts(news.action, news.doneCount)
      const action = { label: 'Cancel', run: news.undo }
      const close = showToast({ ...words, id, action, durationMs: Number.POSITIVE_INFINITY })
      toasts.set(news.action, close)
      return
    }
    case 'nothing': {
      const title = wordsOfNothing(news.action)
      if (title !== null) showToast({ title })
      return
    }
    case 'final':
      closeToast(news.action)
      return
    case 'undone':
      closeToast(news.action)
      showToast({
        title: wordsOfUndone(news.action),
        ...(news.isComing && { description: 'The images will reappear in a moment.' }),
      })
      return
    case 'coming back': {
      const { action, doneCount, count, isOver } = news
      closeToast(action)
      showToast({
        title: wordsOfUndone(action),
        description: partOf(doneCount, count),
        id: idFor(returnIds, action),
        ...(!isOver && { durationMs: Number.POSITIVE_INFINITY }),
      })
      return
    }
    case 'unnamed':
      closeToast(news.action)
      reportFailure(wordsOfRefused(news.action, news.action.count), news.reason, news.retry)
      return
    case 'refused': {
      closeToast(news.action)
      const title = wordsOfRefused(news.action, news.failed.length)
      const reasons = [reasonsOf(news.failed), wordsOfGoneParts(news.action, news.doneCount)]
      const description = reasons.filter((words) => words !== undefined).join('\n')
      reportFailure(title, description, news.retry)
    }
  }
}

function idFor(known: WeakMap<object, string>, action: object): string {
  const id = known.get(action) ?? `parts ${performance.now()}`
  known.set(action, id)
  return id
}

function reportFailure(title: string, description: string, retry: () => void): void {
  showToast({
    tone: 'danger',
    title,
    description,
    action: { label: 'Retry', run: retry },
    durationMs: Number.POSITIVE_INFINITY,
  })
}

function closeToast(action: object): void {
  toasts.get(action)?.()
  toasts.delete(action)
}

/** Usually all failures have the same reason. */
function reasonsOf(failed: Outcome['failed']): string {
  const counts = Map.groupBy(failed, ({ reason }) => reason)
  if (counts.size === 1) return failed[0]?.reason ?? ''
  return [...counts].map(([reason, all]) => `${all.length}: ${reason}`).join('\n')
}
