import { CircleAlert, Clock3, RotateCcw, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { thumbnailOf } from '#gallery/api/images/image-queries.ts'
import type { JournalEntry } from '#gallery/api/journal/journal-state.ts'
import { formatAgo } from '#gallery/ui/text/relative-time.ts'
import { formatRecent } from '#gallery/ui/text/timestamp.ts'
import { sentenceOf, stateWordsOf } from './history-words.ts'

interface HistoryEntryProps {
  entry: JournalEntry
  now: number
  /** The steps to the chosen point undo or redo this action. */
  isOnRoute: 'undo' | 'redo' | null
}

/** An action in words, with its time, its state and its images. */
export function HistoryEntry({ entry, now, isOnRoute }: HistoryEntryProps) {
  const { at, state, isPending, problem, thumbnails } = entry
  const words = stateWordsOf(entry)
  const isDim = state !== 'done' && isOnRoute !== 'redo'
  const Icon = problem ? CircleAlert : isPending ? Clock3 : state === 'undone' ? Undo2 : null
  return (
    <span className="flex w-full items-start gap-3">
      <Thumbnails names={thumbnails} isDim={isDim} />
      <span className="min-w-0 flex-1">
        <span
          className={`block break-words text-sm ${isDim ? 'text-muted' : 'font-medium text-ink'} ${isOnRoute === 'undo' ? 'line-through decoration-muted' : ''}`}
        >
          {sentenceOf(entry)}
        </span>
        <span className="flex flex-wrap items-center gap-x-2 text-muted text-xs">
          <time dateTime={new Date(at).toISOString()} title={formatRecent(at)}>
            {formatAgo(at, now)}
          </time>
          {words !== undefined && (
            <span className={`flex items-center gap-1 ${problem ? 'text-danger' : ''}`}>
              {Icon && <Icon aria-hidden size={12} className="shrink-0" />}
              {words}
            </span>
          )}
          {isOnRoute !== null && (
            <span className="flex items-center gap-1 font-medium text-accent">
              {isOnRoute === 'undo' ? (
                <Undo2 aria-hidden size={12} />
              ) : (
                <RotateCcw aria-hidden size={12} />
              )}
              {isOnRoute === 'undo' ? 'will be undone' : 'will be redone'}
            </span>
          )}
        </span>
      </span>
    </span>
  )
}

/** Up to three images of an action, stacked. Decorative, because the sentence names them. */
function Thumbnails({ names, isDim }: { names: readonly string[]; isDim: boolean }) {
  return (
    <span aria-hidden className={`relative block size-10 shrink-0 ${isDim ? 'opacity-50' : ''}`}>
      {names.length === 0 && <span className="block size-10 rounded bg-hover" />}
      {names.toReversed().map((name, at) => (
        <Thumbnail key={name} name={name} offsetPx={4 * (names.length - 1 - at)} />
      ))}
    </span>
  )
}

function Thumbnail({ name, offsetPx }: { name: string; offsetPx: number }) {
  const { client } = useGallery()
  const [isMissing, setIsMissing] = useState(false)
  const place = 'absolute size-8 rounded border border-surface bg-hover object-cover'
  const style = { left: offsetPx, top: offsetPx }
  if (isMissing) return <span className={place} style={style} />
  return (
    <img
      src={thumbnailOf(client, name)}
      alt=""
      loading="lazy"
      className={place}
      style={style}
      onError={() => setIsMissing(true)}
    />
  )
}
