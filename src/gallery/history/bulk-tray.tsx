import { Suspense, useEffect, useRef, useState } from 'react'
import { type BulkChange, useBulkChanges } from '#gallery/api/outbox/bulk-changes.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { titleOf } from './bulk-words.ts'

export const BulkCard = lazyPart(async () => (await import('./bulk-card.tsx')).BulkCard)

interface BulkTrayProps {
  /** Names the board of a change that was resumed after a reload. */
  nameOfBoard: (boardId: string) => string
}

/** The changes of many images: their progress, and the images that failed. Renders nothing while there are none. */
export function BulkTray({ nameOfBoard }: BulkTrayProps) {
  const changes = useBulkChanges().map((change) => withBoardName(change, nameOfBoard))
  return (
    <>
      <BulkAnnouncer changes={changes} />
      <Suspense>
        {changes.map((change) => (
          <BulkCard key={change.id} change={change} />
        ))}
      </Suspense>
    </>
  )
}

function withBoardName(change: BulkChange, nameOfBoard: BulkTrayProps['nameOfBoard']): BulkChange {
  const { action } = change
  if (action.aspect !== 'board' || action.boardName !== undefined) return change
  return { ...change, action: { ...action, boardName: nameOfBoard(String(action.wanted)) } }
}

/** Announces the start and the result of a change to screen readers, and nothing in between. */
function BulkAnnouncer({ changes }: { changes: readonly BulkChange[] }) {
  const [announcement, setAnnouncement] = useState('')
  const before = useRef<ReadonlyMap<number, BulkChange['state']>>(new Map())
  useEffect(() => {
    const news = changes.filter(({ id, state }) => before.current.get(id) !== state)
    before.current = new Map(changes.map(({ id, state }) => [id, state]))
    if (news.length > 0) setAnnouncement(news.map(titleOf).join('. '))
  }, [changes])
  return <Announcement>{announcement}</Announcement>
}
