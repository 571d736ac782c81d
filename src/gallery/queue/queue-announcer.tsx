import { useEffect, useRef, useState } from 'react'
import { useActiveCount, useGenerations } from '#gallery/api/generations.ts'
import { isPreview } from '#gallery/api/process-preview.ts'
import { onServerEvent } from '#gallery/api/server-events.ts'
import { countOf } from '#gallery/ui/count.ts'

/**
 * Says aloud how much was done when the queue has come to its end: of what makes images the page tells by
 * itself, and what failed has a message of its own.
 */
export function QueueAnnouncer() {
  const active = useActiveCount()
  const generations = useGenerations()
  const makingImages = useRef(new Set<number>())
  const done = useRef(0)
  const [said, setSaid] = useState('')
  useEffect(() => {
    for (const { itemId } of generations) makingImages.current.add(itemId)
  }, [generations])
  useEffect(
    () =>
      onServerEvent('queue_item_status_changed', (news) => {
        const isTold = makingImages.current.has(news.item_id) || isPreview(news)
        if (news.status === 'completed' && !isTold) done.current += 1
      }),
    [],
  )
  useEffect(() => {
    if (active > 0) return
    makingImages.current.clear()
    if (done.current > 0) setSaid(`${countOf(done.current, 'item')} done`)
    done.current = 0
  }, [active])
  return (
    <p className="sr-only" aria-live="polite">
      {said}
    </p>
  )
}
