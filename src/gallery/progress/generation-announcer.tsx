import { useEffect, useRef, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useGenerations } from '#gallery/api/queue/generations.ts'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { announcementOf } from './announcement.ts'

export function GenerationAnnouncer({ nameOfBoard }: { nameOfBoard: (boardId: string) => string }) {
  const { boardCache } = useGallery()
  const generations = useGenerations()
  const before = useRef<readonly Generation[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  useEffect(
    () => boardCache.loadUnknown(generations.map(({ boardId }) => boardId)),
    [boardCache, generations],
  )
  useEffect(() => {
    // Generations that were active when the page loaded are not announced.
    const text = before.current && announcementOf(before.current, generations, nameOfBoard)
    before.current = generations
    if (text) setAnnouncement(text)
  }, [generations, nameOfBoard])
  return <Announcement>{announcement}</Announcement>
}
