import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import {
  cancelAllGenerations,
  clearEnded,
  pauseQueue,
  resumeQueue,
} from '#gallery/api/queue/generations.ts'
import { activeCountOf, type QueueSnapshot } from '#gallery/api/queue/queue-snapshot.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/dialog.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { attempt } from './attempt.ts'

/** So many can be put in again by hand: more are canceled only after a question. */
const FEW = 3

/** What can be done about all of the queue. */
export function QueueControls({ queue }: { queue: QueueSnapshot }) {
  const [isAsking, setIsAsking] = useState(false)
  const { isPaused, counts } = queue
  const active = activeCountOf(queue)
  const ended = counts.completed + counts.failed + counts.canceled
  const cancelAll = () => {
    setIsAsking(false)
    attempt(cancelAllGenerations, 'The queue could not be canceled.')
  }
  return (
    <div className="border-line border-b px-4 py-2">
      <div className="flex flex-wrap gap-2">
        <Button
          className="px-2!"
          aria-pressed={isPaused}
          onClick={() =>
            isPaused
              ? attempt(resumeQueue, 'The queue could not be resumed.')
              : attempt(pauseQueue, 'The queue could not be paused.')
          }
        >
          {isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button
          className="px-2!"
          disabled={active === 0}
          onClick={() => (active > FEW ? setIsAsking(true) : cancelAll())}
        >
          Cancel all
        </Button>
        <Button
          className="px-2!"
          disabled={ended === 0}
          onClick={() => attempt(clearEnded, 'The finished items could not be cleared.')}
        >
          Clear finished
        </Button>
      </div>
      <p role="status" className="text-muted text-sm not-empty:mt-2">
        {isPaused && 'Paused. The current item will finish.'}
      </p>
      <Dialog
        title={`Cancel ${countOf(active, 'item')}?`}
        description="The running item stops and waiting items are removed. Images that are already made stay."
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        actions={
          <>
            <Button onClick={() => setIsAsking(false)}>Keep them</Button>
            <Button tone="danger" onClick={cancelAll}>
              Cancel {countOf(active, 'item')}
            </Button>
          </>
        }
      />
    </div>
  )
}
