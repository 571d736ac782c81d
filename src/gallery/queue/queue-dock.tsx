import { ListTodo } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { isPreview } from '#gallery/api/process/process-preview.ts'
import type { Queue } from '#gallery/api/queue/queue.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { Sheet } from '#gallery/ui/popups/drawer.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { attempt, closeQueue, toggleQueue, useIsQueueOpen } from './queue-store.ts'

const QueuePanel = lazyPart(async () => (await import('./queue-panel.tsx')).QueuePanel)

interface QueueDockProps {
  /** Settings at the top of the panel. */
  options: ReactNode
  children: ReactNode
}

/** The page with the open queue panel next to it. In the compact layout the panel is a sheet. */
export function QueueDock({ options, children }: QueueDockProps) {
  const isOpen = useIsQueueOpen()
  const isCompact = useIsCompact()
  const aside = useRef<HTMLElement>(null)
  useFailureToasts()
  useCommands('Anywhere', [
    {
      id: 'queue.toggle',
      keys: 'q',
      label: 'Show or hide the queue',
      icon: ListTodo,
      run: toggleQueue,
    },
  ])
  useCommands(
    'Queue',
    [
      {
        id: 'queue.close',
        isKeyOnly: true,
        keys: 'Escape',
        label: 'Hide the queue',
        run: closeQueue,
      },
    ],
    {
      when: () => aside.current?.contains(document.activeElement) ?? false,
    },
  )
  return (
    <div className="flex min-h-0 flex-1">
      <div className="relative flex min-w-0 flex-1 flex-col">{children}</div>
      {isCompact && (
        <Sheet label="Queue" isOpen={isOpen} onClose={closeQueue} coversToasts={false}>
          <Suspense>
            <QueuePanel options={options} />
          </Suspense>
        </Sheet>
      )}
      {isOpen && !isCompact && (
        <aside
          ref={aside}
          {...focusFallback}
          aria-label="Queue"
          className="flex w-80 shrink-0 flex-col border-line border-l bg-surface"
        >
          <Suspense>
            <QueuePanel options={options} />
          </Suspense>
        </aside>
      )}
    </div>
  )
}

/** Failures within this time share one toast, in milliseconds. */
const TOGETHER_MS = 5_000

/** Shows toasts with Retry for failed items. */
function useFailureToasts(): void {
  const { events, queue } = useGallery()
  useEffect(() => {
    let failed: number[] = []
    let lastAt = 0
    return events.on('queue_item_status_changed', (news) => {
      if (news.status !== 'failed' || isPreview(news)) return
      if (Date.now() - lastAt > TOGETHER_MS) failed = []
      lastAt = Date.now()
      failed = [...failed.filter((itemId) => itemId !== news.item_id), news.item_id]
      showFailure(queue, failed, news.error_message ?? news.error_type ?? undefined)
    })
  }, [events, queue])
}

function showFailure(queue: Queue, itemIds: readonly number[], reason: string | undefined): void {
  const retry = () => attempt(() => queue.retry(itemIds), 'Couldn’t add them to the queue again.')
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
