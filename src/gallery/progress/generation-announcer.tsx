import { useEffect, useRef, useState } from 'react'
import { loadUnknownBoards } from '#gallery/api/boards/board-queries.ts'
import { type Generation, useGenerations } from '#gallery/api/queue/generations.ts'
import { newsOf } from './news-of.ts'

/** Tells people who cannot see it where images are being made, once each time that begins or ends. */
export function GenerationAnnouncer({ nameOfBoard }: { nameOfBoard: (boardId: string) => string }) {
  const generations = useGenerations()
  const before = useRef<readonly Generation[] | null>(null)
  const [news, setNews] = useState('')
  useEffect(() => loadUnknownBoards(generations.map(({ boardId }) => boardId)), [generations])
  useEffect(() => {
    // What was under way when the page came is no news.
    const text = before.current && newsOf(before.current, generations, nameOfBoard)
    before.current = generations
    if (text) setNews(text)
  }, [generations, nameOfBoard])
  return (
    <p aria-live="polite" className="sr-only">
      {news}
    </p>
  )
}
