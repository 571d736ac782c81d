import { useEffect, useRef, useState } from 'react'
import { useActiveCount } from '#gallery/api/generations.ts'
import { onServerEvent } from '#gallery/api/server-events.ts'
import { countOf } from '#gallery/ui/count.ts'

const NONE = { completed: 0, failed: 0 }

/** Says aloud how it ended when the queue has come to its end. */
export function QueueAnnouncer() {
  const active = useActiveCount()
  const ended = useRef(NONE)
  const [said, setSaid] = useState('')
  useEffect(
    () =>
      onServerEvent('queue_item_status_changed', ({ status }) => {
        const { completed, failed } = ended.current
        if (status === 'completed') ended.current = { completed: completed + 1, failed }
        if (status === 'failed') ended.current = { completed, failed: failed + 1 }
      }),
    [],
  )
  useEffect(() => {
    if (active > 0 || ended.current === NONE) return
    setSaid(wordsOf(ended.current))
    ended.current = NONE
  }, [active])
  return (
    <p className="sr-only" aria-live="polite">
      {said}
    </p>
  )
}

const wordsOf = ({ completed, failed }: typeof NONE): string =>
  [
    completed > 0 ? `${countOf(completed, 'item')} done` : '',
    failed > 0 ? `${countOf(failed, 'item')} failed` : '',
  ]
    .filter(Boolean)
    .join(', ')
