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
  useEffect(() => {
    const toasts = new OutboxToasts()
    return outbox.events.add((news) => toasts.report(news))
  }, [outbox])
}

/** The toasts of changes. Later toasts of a change replace earlier ones. */
export class OutboxToasts {
  /** Functions that close the toasts with Undo, because a change can also be undone by key. */
  readonly #closing = new Map<object, () => void>()
  /** IDs of the toasts that show progress. */
  readonly #ids = new WeakMap<object, string>()
  /** IDs of the toasts that show the progress of an Undo. */
  readonly #undoIds = new WeakMap<object, string>()

  report(news: OutboxEvent): void {
    switch (news.kind) {
      case 'taken': {
        const words = wordsOfTaken(news.action)
        if (words === null) return
        const id = this.#ids.get(news.action)
        const action = { label: 'Undo', run: news.undo }
        this.#closing.set(
          news.action,
          showToast({ ...words, action, ...(id !== undefined && { id }) }),
        )
        return
      }
      case 'in parts': {
        const id = idFor(this.#ids, news.action)
        const words = wordsOfParts(news.action, news.doneCount)
        const action = { label: 'Cancel', run: news.undo }
        const close = showToast({ ...words, id, action, durationMs: Number.POSITIVE_INFINITY })
        this.#closing.set(news.action, close)
        return
      }
      case 'nothing': {
        const title = wordsOfNothing(news.action)
        if (title !== null) showToast({ title })
        return
      }
      case 'final':
        this.#close(news.action)
        return
      case 'undone':
        this.#close(news.action)
        showToast({
          title: wordsOfUndone(news.action),
          ...(news.isComing && { description: 'The images will reappear in a moment.' }),
        })
        return
      case 'coming back': {
        const { action, doneCount, count, isOver } = news
        this.#close(action)
        showToast({
          title: wordsOfUndone(action),
          description: partOf(doneCount, count),
          id: idFor(this.#undoIds, action),
          ...(!isOver && { durationMs: Number.POSITIVE_INFINITY }),
        })
        return
      }
      case 'unnamed':
        this.#close(news.action)
        reportFailure(wordsOfRefused(news.action, news.action.count), news.reason, news.retry)
        return
      case 'refused': {
        this.#close(news.action)
        const title = wordsOfRefused(news.action, news.failed.length)
        const reasons = [reasonsOf(news.failed), wordsOfGoneParts(news.action, news.doneCount)]
        const description = reasons.filter((words) => words !== undefined).join('\n')
        reportFailure(title, description, news.retry)
      }
    }
  }

  #close(action: object): void {
    this.#closing.get(action)?.()
    this.#closing.delete(action)
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

/** Usually all failures have the same reason. */
function reasonsOf(failed: Outcome['failed']): string {
  const counts = Map.groupBy(failed, ({ reason }) => reason)
  if (counts.size === 1) return failed[0]?.reason ?? ''
  return [...counts].map(([reason, all]) => `${all.length}: ${reason}`).join('\n')
}
