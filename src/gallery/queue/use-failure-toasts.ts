import { useEffect } from 'react'
import { isPreview } from '#gallery/api/process-preview.ts'
import { retryItems } from '#gallery/api/queue-actions.ts'
import { onServerEvent } from '#gallery/api/server-events.ts'
import { countOf } from '#gallery/ui/count.ts'
import { showToast } from '#gallery/ui/toast.ts'
import { attempt } from './attempt.ts'

/** Failures that come so close together are one message, in milliseconds. */
const TOGETHER_MS = 5_000

/** Says what failed, with Retry. */
export function useFailureToasts(): void {
  useEffect(() => {
    let failed: number[] = []
    let lastAt = 0
    return onServerEvent('queue_item_status_changed', (news) => {
      if (news.status !== 'failed' || isPreview(news)) return
      if (Date.now() - lastAt > TOGETHER_MS) failed = []
      lastAt = Date.now()
      failed = [...failed.filter((itemId) => itemId !== news.item_id), news.item_id]
      tellFailure(failed, news.error_message ?? news.error_type ?? undefined)
    })
  }, [])
}

function tellFailure(itemIds: readonly number[], reason: string | undefined): void {
  const retry = () => attempt(() => retryItems(itemIds), 'Couldn’t add them to the queue again.')
  showToast({
    id: `queue-failed-${itemIds[0]}`,
    tone: 'danger',
    title:
      itemIds.length === 1
        ? 'A queue item failed.'
        : `${countOf(itemIds.length, 'item')} in the queue failed.`,
    description: reason,
    action: { label: 'Retry', run: retry },
  })
}
