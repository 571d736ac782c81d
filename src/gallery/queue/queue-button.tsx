import { ListVideo, Pause } from 'lucide-react'
import { useActiveCount } from '#gallery/api/queue/generations.ts'
import { useQueue } from '#gallery/api/queue/queue-queries.ts'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { toggleQueue, useIsQueueOpen } from './queue-store.ts'

/** Toggles the queue panel and shows the number of active items. Renders nothing if the server has no queue. */
export function QueueButton() {
  const queue = useQueue()
  const isOpen = useIsQueueOpen()
  const count = useActiveCount()
  if (!queue) return null
  const Icon = queue.isPaused ? Pause : ListVideo
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => {
        closeSidebar()
        toggleQueue()
      }}
      className="mr-auto flex h-8 min-w-0 items-center gap-2 rounded px-2 font-medium text-muted text-sm transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11"
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} className="shrink-0" />
      <span className={count > 0 ? '@max-[17rem]/footer:sr-only' : '@max-[14.5rem]/footer:sr-only'}>
        Queue
      </span>
      {count > 0 && (
        <span className="rounded-full bg-accent px-1.5 font-semibold text-accent-ink text-xs tabular-nums leading-5">
          {formatCount(count)}
          <span className="sr-only"> to do</span>
        </span>
      )}
      {queue.isPaused && <span className="sr-only">, paused</span>}
    </button>
  )
}
