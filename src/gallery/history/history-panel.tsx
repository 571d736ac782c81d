import { History, Redo2, Undo2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useJournal } from '#gallery/api/journal/journal.ts'
import {
  type JournalEntries,
  nextToRedo,
  nextToUndo,
  type Route,
  routeTo,
} from '#gallery/api/journal/journal-state.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { moveFocus } from '#gallery/ui/keys/move-focus.ts'
import { Notice } from '#gallery/ui/notice.tsx'
import { HistoryEntry } from './history-entry.tsx'
import { closeHistory } from './history-store.ts'
import { labelOfRoute, sentenceOf } from './history-words.ts'

/** How often the relative times are updated, in milliseconds. */
const TICK_MS = 30_000

/** The last actions, newest first, with Undo, Redo, and the way back to any point. */
export function HistoryPanel() {
  const entries = useJournal()
  const heading = useRef<HTMLHeadingElement>(null)
  // Move the focus to the panel, and back to the previous element when it closes.
  useEffect(() => {
    const before = document.activeElement
    heading.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <>
      <header className="flex min-h-16 shrink-0 items-center justify-between border-line border-b pr-2 pl-4 short:min-h-12">
        <h2 ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
          History
        </h2>
        <IconButton label="Close history" icon={X} onClick={closeHistory} />
      </header>
      <Steps entries={entries} />
      {/* Without entries the text alone scrolls, on a small screen or with a large zoom. */}
      <section
        aria-label="Actions of this library"
        tabIndex={entries.length === 0 ? 0 : undefined}
        className="-outline-offset-2 min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        {entries.length === 0 ? <EmptyHistory /> : <Actions entries={entries} />}
      </section>
      <HistoryAnnouncer entries={entries} />
    </>
  )
}

function EmptyHistory() {
  return (
    <Notice icon={History} title="Nothing to undo yet">
      <p>Moves, stars, deletions and changes of boards appear here. You can undo the last 200.</p>
    </Notice>
  )
}

function Steps({ entries }: { entries: JournalEntries }) {
  const { journal } = useGallery()
  return (
    <div className="flex gap-2 border-line border-b px-4 py-2">
      <Button
        className="flex-1"
        disabled={nextToUndo(entries) === undefined}
        onClick={() => journal.undoLast({ isQuiet: true })}
      >
        <Undo2 aria-hidden size={16} />
        Undo
      </Button>
      <Button
        className="flex-1"
        disabled={nextToRedo(entries) === undefined}
        onClick={() => journal.redoLast({ isQuiet: true })}
      >
        <Redo2 aria-hidden size={16} />
        Redo
      </Button>
    </div>
  )
}

/** The point before all actions, in the list of points. */
const START = 'start'

function Actions({ entries }: { entries: JournalEntries }) {
  const { journal } = useGallery()
  const [chosen, setChosen] = useState<string | null>(null)
  const now = useNow()
  const list = useRef<HTMLUListElement>(null)
  const idOf = (point: string) => (point === START ? null : point)
  const route = chosen === null ? null : routeTo(entries, idOf(chosen))
  const points = [...entries.map(({ id }) => id).toReversed(), START]
  const isKnown = chosen !== null && points.includes(chosen)
  const go = (point: string) => {
    journal.goTo(idOf(point))
    setChosen(null)
  }
  return (
    <ul
      ref={list}
      aria-label="Actions"
      className="py-2"
      onKeyDown={(event) => moveFocus(event, '[data-point]')}
    >
      {points.map((point, at) => {
        const entry = entries.find(({ id }) => id === point)
        const isChosen = isKnown && chosen === point
        return (
          <li key={point} className="px-2">
            <button
              type="button"
              data-point
              aria-expanded={isChosen}
              tabIndex={isChosen || (!isKnown && at === 0) ? 0 : -1}
              className={`flex min-h-11 w-full rounded p-2 text-left outline-offset-[-2px] hover:bg-hover ${isChosen || (entry && route?.ids.includes(point)) ? 'bg-accent-soft' : ''}`}
              onClick={() => setChosen(isChosen ? null : point)}
            >
              {entry ? (
                <HistoryEntry
                  entry={entry}
                  now={now}
                  isOnRoute={route?.ids.includes(point) ? route.verb : null}
                />
              ) : (
                <span className="self-center pl-[3.25rem] text-muted text-sm">
                  Before these actions
                </span>
              )}
            </button>
            {isChosen && route && <Way route={route} onGo={() => go(point)} />}
          </li>
        )
      })}
    </ul>
  )
}

/** The button that goes to the chosen point, with the number of actions that this undoes or redoes. */
function Way({ route, onGo }: { route: Route; onGo: () => void }) {
  const count = route.ids.length
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // It returns a promise in new browsers, which is not a cleanup function.
    void line.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={line} className="flex items-center justify-between gap-2 p-2">
      <p className="text-muted text-sm">
        {count === 0 ? 'You are here.' : `${labelOfRoute(route.verb, count)}.`}
      </p>
      {count > 0 && (
        <Button tone="primary" onClick={onGo}>
          {route.verb === 'undo' ? 'Go back to here' : 'Redo up to here'}
        </Button>
      )}
    </div>
  )
}

/** Announces undone and repeated actions. Steps of the history show no toasts, which would cover its list. */
function HistoryAnnouncer({ entries }: { entries: JournalEntries }) {
  const { journal } = useGallery()
  const [announcement, setAnnouncement] = useState('')
  const before = useRef(entries)
  useEffect(
    () =>
      journal.subscribe(() => {
        const states = new Map(before.current.map(({ id, state }) => [id, state]))
        before.current = journal.getState()
        const changed = before.current.filter(({ id, state }) => {
          const earlier = states.get(id)
          return earlier !== undefined && earlier !== state
        })
        const [first] = changed
        if (first === undefined) return
        const verb = first.state === 'done' ? 'Redone' : 'Undone'
        setAnnouncement(`${verb}: ${sentenceOf(first)}`)
      }),
    [journal],
  )
  return <Announcement>{announcement}</Announcement>
}

function useNow(): number {
  const { clock } = useGallery()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [clock])
  return now
}
