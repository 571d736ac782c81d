import { useQuery } from '@tanstack/react-query'
import { Ban, Check, ChevronDown, ChevronUp, CircleAlert, Clock, RotateCcw, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { QueueCounts } from '#contract/queue/queue.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import {
  activeIn,
  countsIn,
  newestImagesOf,
  type QueueBatch,
  timeLeftOf,
  withoutRetried,
} from '#gallery/api/queue/queue-batches.ts'
import { batchQuery, useProgress } from '#gallery/api/queue/queue-queries.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { CancelQuestion, FEW_ITEMS } from './cancel-question.tsx'
import { detailsOf, progressOf, titleOf } from './entry-words.ts'
import { ProgressRing } from './progress-ring.tsx'
import { QueueItemRow } from './queue-entries.tsx'
import { attempt } from './queue-store.ts'
import { MAX_STRIP, ResultLink, ResultStrip, useTargetBoard } from './results.tsx'

interface BatchRowProps {
  batch: QueueBatch
  /** The number of items that run before each item, by item ID. */
  positions: ReadonlyMap<number, number>
  isRunning: boolean
  isPaused: boolean
  /** True if its items are shown. */
  isOpen: boolean
  onToggle: (batchId: string) => void
}

/** One batch: its results, counts and time left. It unfolds to its items. A batch of one item is the item itself. */
export function BatchRow(props: BatchRowProps) {
  const { batch, positions } = props
  const counts = useBatchCounts(batch)
  const [first] = batch.entries
  if (counts.total > 1) return <ManyItems {...props} counts={counts} />
  return <QueueItemRow entry={first} ahead={positions.get(first.itemId) ?? 0} />
}

/** Returns the number of all items of a batch by status. */
export function useBatchCounts(batch: QueueBatch): QueueCounts {
  const { batchId, entries, isPartial } = batch
  const { client } = useGallery()
  const { data } = useQuery({ ...batchQuery(client, batchId), enabled: isPartial })
  return isPartial && data ? withoutRetried(data, batch) : countsIn(entries)
}

function ManyItems(props: BatchRowProps & { counts: QueueCounts }) {
  const { batch, counts, positions, isRunning, isPaused, isOpen, onToggle } = props
  const { batchId, entries } = batch
  const itemsId = useId()
  const [first] = entries
  const title = titleOf(first)
  const board = useTargetBoard(first)
  const imageNames = newestImagesOf(batch, MAX_STRIP)
  const timeLeftMs = isRunning && !isPaused ? timeLeftOf(batch, counts) : null
  const more = counts.total - entries.length
  return (
    <li>
      <div className="flex min-h-12 gap-3 py-1.5 pr-2 pl-4">
        <span className="flex size-10 shrink-0 items-center justify-center">
          <BatchMark batch={batch} counts={counts} title={title} isRunning={isRunning} />
        </span>
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-sm" title={title}>
            <ResultLink board={board} imageNames={imageNames} className="rounded hover:underline">
              {title}
            </ResultLink>
          </p>
          <p className="text-muted text-xs tabular-nums">{progressOf(counts, timeLeftMs)}</p>
          <p className="truncate text-muted text-xs tabular-nums">
            {detailsOf(first, board?.name ?? null)}
          </p>
          <ResultStrip board={board} imageNames={imageNames} />
        </div>
        <div className="flex shrink-0">
          <IconButton
            label={`Items of ${title}`}
            icon={isOpen ? ChevronUp : ChevronDown}
            aria-expanded={isOpen}
            aria-controls={isOpen ? itemsId : undefined}
            onClick={() => onToggle(batchId)}
          />
          <BatchAction batch={batch} counts={counts} title={title} />
        </div>
      </div>
      {isOpen && (
        <ul id={itemsId} aria-label={`Items of ${title}`} className="bg-sunken py-1">
          {entries.map((entry) => (
            <QueueItemRow
              key={entry.itemId}
              entry={entry}
              ahead={positions.get(entry.itemId) ?? 0}
            />
          ))}
          {more > 0 && (
            <li className="px-4 py-2 text-muted text-sm">and {countOf(more, 'more item')}</li>
          )}
        </ul>
      )}
    </li>
  )
}

interface BatchPartProps {
  batch: QueueBatch
  counts: QueueCounts
  title: string
}

function BatchMark(props: BatchPartProps & Pick<BatchRowProps, 'isRunning'>) {
  const { counts, title, isRunning } = props
  const { entries } = props.batch
  const [first] = entries
  const progress = useProgress(first.itemId)
  if (isRunning) {
    const ended = counts.total - activeIn(counts)
    const current = progress?.fraction ?? null
    const fraction =
      ended === 0 && current === null ? null : (ended + (current ?? 0)) / counts.total
    return <ProgressRing label={`Progress of ${title}`} fraction={fraction} />
  }
  const { icon: Icon, words, color } = markOf(counts)
  return <Icon aria-label={words} size={18} strokeWidth={1.75} className={color} />
}

function markOf(counts: QueueCounts) {
  if (activeIn(counts) > 0) return { icon: Clock, words: 'Waiting', color: 'text-muted' }
  if (counts.failed > 0) return { icon: CircleAlert, words: 'Failed', color: 'text-danger' }
  if (counts.canceled > 0) return { icon: Ban, words: 'Canceled', color: 'text-muted' }
  return { icon: Check, words: 'Done', color: 'text-muted' }
}

/** Cancels the unfinished items of a batch, or retries its failed ones when it has ended. */
function BatchAction({ batch: { batchId }, counts, title }: BatchPartProps) {
  const { queue } = useGallery()
  const [isAsking, setIsAsking] = useState(false)
  const active = activeIn(counts)
  const cancel = () => {
    setIsAsking(false)
    attempt(() => queue.cancelBatch(batchId), 'Couldn’t cancel them.')
  }
  return (
    <>
      {active > 0 && (
        <IconButton
          label={`Cancel ${title}`}
          icon={X}
          onClick={() => (active > FEW_ITEMS ? setIsAsking(true) : cancel())}
        />
      )}
      {active === 0 && counts.failed + counts.canceled > 0 && (
        <IconButton
          label={`Retry ${title}`}
          icon={RotateCcw}
          onClick={() =>
            attempt(() => queue.retryBatch(batchId), 'Couldn’t add them to the queue.')
          }
        />
      )}
      <CancelQuestion
        count={active}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onCancel={cancel}
      />
    </>
  )
}
