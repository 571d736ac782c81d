import { useQuery } from '@tanstack/react-query'
import { Ban, Check, CircleAlert, RotateCcw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { useInterrupted, useProgress } from '#gallery/api/queue/queue-queries.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { detailsOf, reasonOf, titleOf } from './entry-words.ts'
import { attempt } from './queue-store.ts'

export function RunningEntry({ entry }: { entry: QueueEntry }) {
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

export function WaitingEntry({ entry, ahead }: { entry: QueueEntry; ahead: number }) {
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

const marks = {
  completed: { icon: Check, colour: 'text-muted', words: 'Done' },
  canceled: { icon: Ban, colour: 'text-muted', words: 'Canceled' },
  failed: { icon: CircleAlert, colour: 'text-danger', words: 'Failed' },
}

export function EndedEntry({ entry }: { entry: QueueEntry }) {
  const { queue } = useGallery()
  const isInterrupted = useInterrupted().has(entry.itemId)
  const { icon: Icon, colour, words } = marks[entry.status as keyof typeof marks]
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
  const boardName = useTargetBoardName(entry.graph?.boardId ?? null)
  return (
    <li className="flex min-h-12 items-center gap-3 py-1.5 pr-2 pl-4">
      <span className="flex size-10 shrink-0 items-center justify-center">{mark}</span>
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-sm" title={title}>
          {title}
        </p>
        {note !== null && (
          <p
            className={`text-xs ${noteTone === 'danger' ? 'line-clamp-3 break-words text-danger' : 'truncate text-muted'}`}
            title={note}
          >
            {note}
          </p>
        )}
        <p className="truncate text-muted text-xs tabular-nums">{detailsOf(entry, boardName)}</p>
        {children}
      </div>
      {action}
    </li>
  )
}

/** Returns the name of the target board. The server saves to no board if the board no longer exists. */
function useTargetBoardName(boardId: string | null): string | null {
  const { boardQueries } = useGallery()
  const boards = useQuery(boardQueries.list()).data
  if (boardId === null) return null
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  if (boards === undefined) return null
  const board = boards.find(({ board_id }) => board_id === boardId)
  return board?.board_name ?? UNCATEGORIZED_BOARD_NAME
}

interface ProgressRingProps {
  label: string
  /** The progress from 0 to 1; null if unknown. */
  fraction: number | null
}

const RADIUS = 14
const AROUND = 2 * Math.PI * RADIUS

/** A progress ring. It spins if the progress is unknown. */
function ProgressRing({ label, fraction }: ProgressRingProps) {
  const shown = fraction ?? 0.25
  return (
    <svg
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(fraction !== null && { 'aria-valuenow': Math.round(fraction * 100) })}
      viewBox="0 0 32 32"
      className={`size-8 ${fraction === null ? 'animate-spin' : '-rotate-90'}`}
    >
      <circle cx={16} cy={16} r={RADIUS} fill="none" strokeWidth={3} className="stroke-line" />
      <circle
        cx={16}
        cy={16}
        r={RADIUS}
        fill="none"
        strokeWidth={3}
        strokeLinecap="round"
        strokeDasharray={AROUND}
        strokeDashoffset={AROUND * (1 - shown)}
        className="stroke-accent transition-[stroke-dashoffset] duration-200"
      />
    </svg>
  )
}
