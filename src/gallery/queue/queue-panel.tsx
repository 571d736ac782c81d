import { Layers, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useQueue } from '#gallery/api/queue-hooks.ts'
import type { QueueSnapshot } from '#gallery/api/queue-snapshot.ts'
import { formatCount } from '#gallery/ui/count.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { QueueAnnouncer } from './queue-announcer.tsx'
import { QueueControls } from './queue-controls.tsx'
import { EndedEntry, RunningEntry, WaitingEntry } from './queue-entries.tsx'
import { queueClosed } from './queue-store.ts'
import { useCompleteEntries } from './use-complete-entries.ts'

/** Waiting items in the list: of the rest one sees how many there are. */
const MAX_WAITING = 50

/** What runs, what waits, and what has become of the rest. */
export function QueuePanel() {
  const queue = useQueue()
  const heading = useRef<HTMLHeadingElement>(null)
  // Who opened it goes on from there, and comes back to where they were.
  useEffect(() => {
    const before = document.activeElement
    heading.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useCompleteEntries(queue ? queue.ended : [])
  if (!queue) return null
  return (
    <>
      <header className="flex min-h-16 shrink-0 items-center justify-between border-line border-b pr-2 pl-4 short:min-h-12">
        <h2 ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
          Queue
        </h2>
        <IconButton label="Close queue" icon={X} onClick={queueClosed} />
      </header>
      <QueueControls queue={queue} />
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls only what has the focus.
        tabIndex={0}
        aria-label="Queue items"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2"
      >
        {queue.live.length + queue.ended.length === 0 ? <EmptyQueue /> : <Entries queue={queue} />}
      </section>
      <QueueAnnouncer />
    </>
  )
}

function EmptyQueue() {
  return (
    <Notice icon={Layers} title="The queue is empty">
      <p>
        Generations and processing jobs run here, one at a time. Their images appear on the board
        you chose.
      </p>
    </Notice>
  )
}

function Entries({ queue }: { queue: QueueSnapshot }) {
  const running = queue.live.filter(({ status }) => status === 'in_progress')
  const waiting = queue.live.filter(({ status }) => status !== 'in_progress')
  const waitingCount = queue.counts.pending + queue.counts.waiting
  const more = waitingCount - Math.min(MAX_WAITING, waiting.length)
  const endedCount = queue.counts.completed + queue.counts.failed + queue.counts.canceled
  return (
    <>
      {running.length > 0 && (
        <Section title="Running">
          {running.map((entry) => (
            <RunningEntry key={entry.itemId} entry={entry} />
          ))}
        </Section>
      )}
      {waiting.length > 0 && (
        <Section title="Waiting" count={waitingCount}>
          {waiting.slice(0, MAX_WAITING).map((entry, at) => (
            <WaitingEntry key={entry.itemId} entry={entry} ahead={running.length + at} />
          ))}
          {more > 0 && (
            <li className="px-4 py-2 text-muted text-sm">and {formatCount(more)} more</li>
          )}
        </Section>
      )}
      {queue.ended.length > 0 && (
        <Section title="Finished" count={endedCount}>
          {queue.ended.map((entry) => (
            <EndedEntry key={entry.itemId} entry={entry} />
          ))}
        </Section>
      )}
    </>
  )
}

interface SectionProps {
  title: string
  count?: number
  children: React.ReactNode
}

function Section({ title, count, children }: SectionProps) {
  return (
    <section aria-label={title} className="border-line border-b py-2 last:border-b-0">
      <h3 className="flex gap-2 px-4 py-1 font-semibold text-muted text-xs">
        {title}
        {count !== undefined && (
          <span className="font-normal tabular-nums">{formatCount(count)}</span>
        )}
      </h3>
      <ul>{children}</ul>
    </section>
  )
}
