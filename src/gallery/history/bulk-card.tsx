import { Progress } from '@base-ui/react/progress'
import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-react'
import { useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { BulkChange } from '#gallery/api/outbox/bulk-changes.ts'
import { useOutboxState } from '#gallery/api/outbox/outbox.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { useSpeed } from '#gallery/ui/progress-speed.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { useSecondsUntil } from '#gallery/ui/waiting-for-limit.tsx'
import { BulkFailures } from './bulk-failures.tsx'
import { detailOf, titleOf } from './bulk-words.ts'

/** One change: its progress, and the images that failed. */
export function BulkCard({ change }: { change: BulkChange }) {
  const { outbox } = useGallery()
  const [isOpen, setOpen] = useState(false)
  const { id, action, state, doneCount, failed } = change
  const isActive = state !== 'ended'
  const hasFailures = failed.length > 0
  const title = titleOf(change)
  return (
    <section
      {...focusFallback}
      aria-label={titleOf({ ...change, state: 'running' })}
      className="overflow-hidden rounded-lg border border-line bg-raised shadow-floating"
    >
      <header className="flex min-h-12 items-center gap-1 py-1.5 pr-2 pl-4 wide:min-h-16 wide:py-2">
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 break-words font-semibold text-sm tabular-nums">{title}</h2>
          <p className="truncate text-muted text-xs tabular-nums">
            <BulkDetail change={change} />
          </p>
        </div>
        {state === 'running' && (
          <IconButton label="Pause" icon={Pause} onClick={() => outbox.bulk.pause(id)} />
        )}
        {state === 'paused' && (
          <IconButton label="Resume" icon={Play} onClick={() => outbox.bulk.resume(id)} />
        )}
        {!hasFailures && <UndoButton change={change} />}
        {hasFailures && (
          <IconButton
            label={isOpen ? 'Hide failed images' : 'Show failed images'}
            icon={isOpen ? ChevronDown : ChevronUp}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        {isActive ? (
          <IconButton label="Cancel" icon={X} onClick={() => outbox.bulk.cancel(id)} />
        ) : (
          <IconButton label="Dismiss" icon={X} onClick={() => outbox.bulk.dismiss(id)} />
        )}
      </header>
      {isActive && (
        <Progress.Root
          value={doneCount === 0 ? null : Math.floor((100 * doneCount) / action.count)}
          aria-label={title}
        >
          <Progress.Track className="block h-1 bg-sunken">
            <Progress.Indicator
              className={`block h-full transition-[width] data-indeterminate:w-1/3 ${state === 'paused' ? 'bg-muted' : 'bg-accent data-indeterminate:animate-pulse'}`}
            />
          </Progress.Track>
        </Progress.Root>
      )}
      {!isActive && hasFailures && <div className="h-1 bg-danger" />}
      {isOpen && hasFailures && <BulkFailures change={change} />}
      {!isActive && hasFailures && <BulkActions change={change} />}
    </section>
  )
}

function BulkActions({ change }: { change: BulkChange }) {
  const { outbox } = useGallery()
  const { id, failed } = change
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-3 py-2">
      <UndoButton change={change} />
      <Button onClick={() => outbox.bulk.retry(id)}>Retry {formatCount(failed.length)}</Button>
    </footer>
  )
}

/** Takes back the images that an ended change has changed, if there are any. */
function UndoButton({ change: { id, state, doneCount, canUndo } }: { change: BulkChange }) {
  const { outbox } = useGallery()
  if (state !== 'ended' || doneCount === 0 || !canUndo) return null
  return (
    <Button tone="quiet" onClick={() => outbox.bulk.undo(id)}>
      Undo
    </Button>
  )
}

/** The second line: why the change waits, or its progress. */
function BulkDetail({ change }: { change: BulkChange }) {
  const { nextAt, failures } = useOutboxState()
  const { action, state, doneCount } = change
  const isRunning = state === 'running'
  const isWaiting = isRunning && nextAt !== null
  const speed = useSpeed(isRunning && !isWaiting, () => ({
    amountDone: doneCount,
    amountLeft: action.count - doneCount,
  }))
  const seconds = Math.max(1, useSecondsUntil(isWaiting ? nextAt : null))
  const detail = detailOf(change, speed?.leftMs ?? null)
  if (!isWaiting) return detail
  const reason = failures > 0 ? 'No connection' : 'Waiting for the server’s request limit'
  return `${detail} · ${reason}, ${seconds} s`
}
