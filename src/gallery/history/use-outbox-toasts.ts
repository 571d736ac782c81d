import { useEffect } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import type { JournalEntries, JournalEntry } from '#gallery/api/journal/journal-state.ts'
import type { JournalEvent } from '#gallery/api/journal/journal-types.ts'
import type { OutboxEvent } from '#gallery/api/outbox/outbox-events.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { ActionToasts, showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { currentPlace } from '#gallery/url/use-place.ts'
import { sentenceOf } from './history-words.ts'
import {
  isOfBoard,
  partOf,
  uncapitalized,
  wordsOfGoneParts,
  wordsOfNothing,
  wordsOfParts,
  wordsOfRefused,
  wordsOfTaken,
  wordsOfUndone,
} from './step-words.ts'

/** Shows toasts for changes with Undo, and for refused changes with Retry. */
export function useOutboxToasts(): void {
  const { outbox, journal } = useGallery()
  useEffect(() => {
    const toasts = new OutboxToasts()
    const stops = [
      outbox.events.add((news) => toasts.report(news)),
      journal.subscribe(() => toasts.closeUndone(journal.getState())),
      journal.events.add((event) => toasts.reportJournal(event)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [outbox, journal])
}

const nounOf = ({ action }: JournalEntry): string =>
  'aspect' in action && isOfBoard(action) ? 'board' : 'image'

class OutboxToasts {
  /** They are also closed when a change is undone by key. */
  readonly #toasts = new ActionToasts()
  /** The toasts that show the progress of an Undo. */
  readonly #undoing = new ActionToasts()
  /** The toasts of undone changes, which are closed if the server refuses the Undo. */
  readonly #undone = new ActionToasts()

  /** Closes toasts that offer to undo an action which another tab, a key or the history has undone. */
  closeUndone(entries: JournalEntries): void {
    for (const { action, state } of entries) if (state !== 'done') this.#toasts.close(action)
  }

  /** Shows what an Undo or Redo could not change. */
  reportJournal({ kind, verb, entry, failed, count, retry }: JournalEvent): void {
    const isUndo = verb === 'undo'
    if (kind === 'several') {
      showToast({ title: `${isUndo ? 'Undid' : 'Redid'} ${countOf(count, 'action')}` })
      return
    }
    this.#undone.close(entry.action)
    const sentence = sentenceOf(entry)
    if (kind === 'refused') {
      this.#toasts.close(entry.action)
      showFailure(
        `Couldn’t ${verb}: ${uncapitalized(sentence)}`,
        reasonsOf(failed),
        retry,
        Infinity,
      )
      return
    }
    if (failed.length >= entry.action.count) {
      const title = `Not ${isUndo ? 'undone' : 'redone'}: ${uncapitalized(sentence)}`
      showToast({ title, description: reasonsOf(failed) })
      return
    }
    const skipped = partOf(failed.length, entry.action.count, nounOf(entry))
    const title = `${isUndo ? 'Undo' : 'Redo'} skipped ${skipped}`
    showToast({ title, description: `${sentence}. ${reasonsOf(failed)}` })
  }

  report(news: OutboxEvent): void {
    switch (news.kind) {
      case 'taken': {
        const words = wordsOfTaken(news.action, viewOf(currentPlace()).isStarred)
        if (words === null) return
        this.#toasts.show(news.action, { ...words, action: { label: 'Undo', run: news.undo } })
        return
      }
      case 'in parts': {
        if (news.isListed) {
          this.#toasts.close(news.action)
          return
        }
        const words = wordsOfParts(news.action, news.doneCount)
        const action = { label: 'Cancel', run: news.undo }
        this.#toasts.showProgress(news.action, { ...words, action })
        return
      }
      case 'nothing': {
        const title = wordsOfNothing(news.action)
        if (title !== null) showToast({ title })
        return
      }
      case 'final':
        this.#toasts.close(news.action)
        return
      case 'undone':
        this.#toasts.close(news.action)
        this.#undone.show(news.action, {
          title: wordsOfUndone(news.action),
          ...(news.isComing && { description: 'The images will reappear in a moment.' }),
        })
        return
      case 'coming back': {
        const { action, doneCount, count, isOver } = news
        this.#toasts.close(action)
        const toast = {
          title: wordsOfUndone(action),
          description: partOf(doneCount, count, action.noun),
        }
        if (isOver) this.#undoing.show(action, toast)
        else this.#undoing.showProgress(action, toast)
        return
      }
      case 'unnamed':
        this.#toasts.close(news.action)
        showFailure(
          wordsOfRefused(news.action, news.action.count),
          news.reason,
          news.retry,
          Infinity,
        )
        return
      case 'refused': {
        this.#toasts.close(news.action)
        if (news.isListed) return
        const title = wordsOfRefused(news.action, news.failed.length)
        const reasons = [
          news.failedBoards?.map((name) => `“${isolated(name)}”`).join(', '),
          reasonsOf(news.failed),
          wordsOfGoneParts(news.action, news.doneCount),
        ]
        const description = reasons.filter((words) => words !== undefined).join('\n')
        showFailure(title, description, news.retry, Infinity)
      }
    }
  }
}

/** Usually all failures have the same reason. */
function reasonsOf(failed: Outcome['failed']): string {
  const counts = Map.groupBy(failed, ({ reason }) => reason)
  if (counts.size === 1) return failed[0]?.reason ?? ''
  return [...counts].map(([reason, all]) => `${all.length}: ${reason}`).join('\n')
}
