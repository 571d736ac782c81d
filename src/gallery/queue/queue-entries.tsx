import { Ban, Check, CircleAlert, RotateCcw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { isFinal } from '#contract/queue/queue.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { useInterrupted, useProgress } from '#gallery/api/queue/queue-queries.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { detailsOf, reasonOf, titleOf } from './entry-words.ts'
import { ProgressRing } from './progress-ring.tsx'
import { attempt } from './queue-store.ts'
import { ResultLink, ResultMark, ResultStrip, useTargetBoard } from './results.tsx'

/** One queue item: its state, its reason if it failed, its results, and Cancel or Retry. */
export function QueueItemRow({ entry, ahead }: { entry: QueueEntry; ahead: number }) {
  if (isFinal(entry.status)) return <EndedEntry entry={entry} />
  if (entry.status === 'in_progress') return <RunningEntry entry={entry} />
  return <WaitingEntry entry={entry} ahead={ahead} />
}

function RunningEntry({ entry }: { entry: QueueEntry }) {
  const progress = useProgress(entry.itemId)
  const title = titleOf(entry)
  const fraction = progress?.fraction ?? null
  return (
    <Entry
      entry={entry}
      mark={
        progress?.preview ? (
          <img src={progress.preview} alt="" className="size-10 rounded object-cover" />
        ) : (
          <ProgressRing label={`Progress of ${title}`} fraction={fraction} />
        )
      }
      note={progress?.step ?? 'Running'}
      action={<CancelButton entry={entry} />}
    >
      {progress?.preview && (
        <div
          role="progressbar"
          aria-label={`Progress of ${title}`}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(fraction !== null && { 'aria-valuenow': Math.round(fraction * 100) })}
          className="mt-1 h-1 overflow-hidden rounded-full bg-sunken"
        >
          <div
            className={`h-full bg-accent ${fraction === null ? 'animate-pulse' : ''}`}
            style={{ width: `${100 * (fraction ?? 1)}%` }}
          />
        </div>
      )}
    </Entry>
  )
}

function WaitingEntry({ entry, ahead }: { entry: QueueEntry; ahead: number }) {
  return (
    <Entry
      entry={entry}
      mark={
        <span className="text-muted text-sm tabular-nums">
          <span className="sr-only">Number </span>
          {ahead + 1}
        </span>
      }
      action={<CancelButton entry={entry} />}
    />
  )
}

const endMarks = {
  completed: { icon: Check, colour: 'text-muted', words: 'Done' },
  canceled: { icon: Ban, colour: 'text-muted', words: 'Canceled' },
  failed: { icon: CircleAlert, colour: 'text-danger', words: 'Failed' },
}

function EndedEntry({ entry }: { entry: QueueEntry }) {
  const { queue } = useGallery()
  const isInterrupted = useInterrupted().has(entry.itemId)
  const { icon: Icon, colour, words } = endMarks[entry.status as keyof typeof endMarks]
  const isDone = entry.status === 'completed'
  return (
    <Entry
      entry={entry}
      mark={<Icon aria-label={words} size={18} strokeWidth={1.75} className={colour} />}
      note={reasonOf(entry, isInterrupted)}
      noteTone={entry.status === 'failed' ? 'danger' : 'plain'}
      action={
        !isDone && (
          <IconButton
            label={`Retry ${titleOf(entry)}`}
            icon={RotateCcw}
            onClick={() =>
              attempt(() => queue.retry([entry.itemId]), 'Couldn’t add it to the queue.')
            }
          />
        )
      }
    />
  )
}

function CancelButton({ entry }: { entry: QueueEntry }) {
  const { queue } = useGallery()
  return (
    <IconButton
      label={`Cancel ${titleOf(entry)}`}
      icon={X}
      onClick={() => attempt(() => queue.cancel(entry.itemId), 'Couldn’t cancel it.')}
    />
  )
}

interface EntryProps {
  entry: QueueEntry
  mark: ReactNode
  /** The current step, or the reason of a failure. */
  note?: string | null
  noteTone?: 'plain' | 'danger'
  action: ReactNode
  children?: ReactNode
}

function Entry({ entry, mark, note = null, noteTone = 'plain', action, children }: EntryProps) {
  const title = titleOf(entry)
  const board = useTargetBoard(entry)
  const imageNames = entry.imageNames?.toReversed() ?? []
  const isOneResult = entry.status === 'completed' && imageNames.length === 1
  return (
    <li className="flex min-h-12 gap-3 py-1.5 pr-2 pl-4">
      <span className="flex size-10 shrink-0 items-center justify-center">
        {isOneResult ? (
          <>
            <span className="sr-only">Done</span>
            <ResultMark board={board} imageNames={imageNames}>
              {mark}
            </ResultMark>
          </>
        ) : (
          mark
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-sm" title={title}>
          <ResultLink board={board} imageNames={imageNames} className="rounded hover:underline">
            {title}
          </ResultLink>
        </p>
        {note !== null && (
          <p
            className={`text-xs ${noteTone === 'danger' ? 'line-clamp-3 break-words text-danger' : 'truncate text-muted'}`}
            title={note}
          >
            {note}
          </p>
        )}
        <p className="truncate text-muted text-xs tabular-nums">
          {detailsOf(entry, board?.name ?? null)}
        </p>
        {children}
        {!isOneResult && <ResultStrip board={board} imageNames={imageNames} />}
      </div>
      {action}
    </li>
  )
}
