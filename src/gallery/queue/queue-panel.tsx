import { Layers, Pause, Play, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { isPreview } from '#gallery/api/process/process-preview.ts'
import { useActiveCount, useGenerations } from '#gallery/api/queue/generations.ts'
import { activeIn, batchesOf, countsIn, type QueueBatch } from '#gallery/api/queue/queue-batches.ts'
import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { useQueue } from '#gallery/api/queue/queue-queries.ts'
import { activeCountOf, type QueueSnapshot } from '#gallery/api/queue/queue-snapshot.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { BatchRow, useBatchCounts } from './batch-row.tsx'
import { CancelQuestion, FEW_ITEMS } from './cancel-question.tsx'
import { attempt, closeQueue } from './queue-store.ts'

/** @param options - Settings of the queue, below its buttons. */
export function QueuePanel({ options }: { options: ReactNode }) {
  const queue = useQueue()
  const heading = useRef<HTMLHeadingElement>(null)
  // Move the focus to the panel, and back to the previous element when it closes.
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
        <IconButton label="Close queue" icon={X} onClick={closeQueue} />
      </header>
      <QueueControls snapshot={queue} options={options} />
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls only what has the focus.
        tabIndex={0}
        aria-label="Queue items"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2"
      >
        {queue.live.length + queue.ended.length === 0 ? <EmptyQueue /> : <Batches queue={queue} />}
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

function Batches({ queue }: { queue: QueueSnapshot }) {
  const { running, waiting, ended } = useMemo(() => batchesOf(queue), [queue])
  const positions = useMemo(
    () => new Map(queue.live.map(({ itemId }, ahead) => [itemId, ahead])),
    [queue],
  )
  // Here, because a batch moves to another section when it starts and ends.
  const [openIds, setOpenIds] = useState<readonly string[]>([])
  const toggle = (batchId: string) =>
    setOpenIds(
      openIds.includes(batchId) ? openIds.filter((id) => id !== batchId) : [...openIds, batchId],
    )
  const rowOf = (batch: QueueBatch) => (
    <BatchRow
      key={batch.batchId}
      batch={batch}
      positions={positions}
      isRunning={running.includes(batch)}
      isPaused={queue.isPaused}
      isOpen={openIds.includes(batch.batchId)}
      onToggle={toggle}
    />
  )
  const last = waiting.at(-1) ?? running.at(-1)
  const more = last && <MoreWaiting queue={queue} last={last} />
  return (
    <>
      {running.length > 0 && (
        <Section title="Running">
          {running.map(rowOf)}
          {waiting.length === 0 && more}
        </Section>
      )}
      {waiting.length > 0 && (
        <Section title="Waiting">
          {waiting.map(rowOf)}
          {more}
        </Section>
      )}
      {ended.length > 0 && <Section title="Finished">{ended.map(rowOf)}</Section>}
    </>
  )
}

/** Counts the waiting items of batches that are not cached. */
function MoreWaiting({ queue, last }: { queue: QueueSnapshot; last: QueueBatch }) {
  const rest = activeIn(useBatchCounts(last)) - activeIn(countsIn(last.entries))
  const more = activeCountOf(queue) - queue.live.length - rest
  if (more <= 0) return null
  return <li className="px-4 py-2 text-muted text-sm">and {countOf(more, 'more item')} waiting</li>
}

interface SectionProps {
  title: string
  children: ReactNode
}

function Section({ title, children }: SectionProps) {
  return (
    <section aria-label={title} className="border-line border-b py-2 last:border-b-0">
      <h3 className="px-4 py-1 font-semibold text-muted text-xs">{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

/** Loads the graphs and results of items of which only the summary is cached, in one request, while the panel is open. */
function useCompleteEntries(entries: readonly QueueEntry[]): void {
  const { queue } = useGallery()
  const isUnknown = ({ graph, imageNames, status }: QueueEntry) =>
    graph === null || (imageNames === null && status === 'completed')
  const unknown = entries.filter(isUnknown).map(({ itemId }) => itemId)
  const key = unknown.join(' ')
  useEffect(() => {
    // Without an answer the items are shown by their IDs.
    if (key !== '') queue.complete(key.split(' ').map(Number)).catch(() => {})
  }, [queue, key])
}

/** Announces completed items when the queue is empty. Images are announced elsewhere, and failures have toasts. */
function QueueAnnouncer() {
  const { events } = useGallery()
  const active = useActiveCount()
  const generations = useGenerations()
  const makingImages = useRef(new Set<number>())
  const done = useRef(0)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    for (const { itemId } of generations) makingImages.current.add(itemId)
  }, [generations])
  useEffect(
    () =>
      events.on('queue_item_status_changed', (news) => {
        const isAnnouncedElsewhere = makingImages.current.has(news.item_id) || isPreview(news)
        if (news.status === 'completed' && !isAnnouncedElsewhere) done.current += 1
      }),
    [events],
  )
  useEffect(() => {
    if (active > 0) return
    makingImages.current.clear()
    if (done.current > 0) setAnnouncement(`${countOf(done.current, 'item')} done`)
    done.current = 0
  }, [active])
  return <Announcement>{announcement}</Announcement>
}

function QueueControls({ snapshot, options }: { snapshot: QueueSnapshot; options: ReactNode }) {
  const { queue } = useGallery()
  const [isAsking, setIsAsking] = useState(false)
  const { isPaused, counts } = snapshot
  const active = activeCountOf(snapshot)
  const ended = counts.completed + counts.failed + counts.canceled
  const cancelAll = () => {
    setIsAsking(false)
    attempt(() => queue.cancelAll(), 'The queue could not be canceled.')
  }
  return (
    <div className="border-line border-b px-4 py-2">
      <div className="flex flex-wrap gap-2">
        <Button
          className="px-2!"
          aria-pressed={isPaused}
          onClick={() =>
            isPaused
              ? attempt(() => queue.setPaused(false), 'The queue could not be resumed.')
              : attempt(() => queue.setPaused(true), 'The queue could not be paused.')
          }
        >
          {isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button
          className="px-2!"
          disabled={active === 0}
          onClick={() => (active > FEW_ITEMS ? setIsAsking(true) : cancelAll())}
        >
          Cancel all
        </Button>
        <Button
          className="px-2!"
          disabled={ended === 0}
          onClick={() => attempt(() => queue.prune(), 'The finished items could not be cleared.')}
        >
          Clear finished
        </Button>
      </div>
      <div className="mt-1">{options}</div>
      <p role="status" className="text-muted text-sm not-empty:mt-2">
        {isPaused && 'Paused. The current item will finish.'}
      </p>
      <CancelQuestion
        count={active}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onCancel={cancelAll}
      />
    </div>
  )
}
