import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useOutboxState } from '#gallery/api/outbox/outbox.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { useSecondsUntil } from '#gallery/ui/waiting-for-limit.tsx'

/** A line in the sidebar, or a note over the images while the sidebar is hidden. */
const looks = {
  line: 'shrink-0 border-line border-t',
  note: 'rounded-lg border border-line bg-raised shadow-floating',
}

/** Announces the number of waiting changes to screen readers, without the seconds. It must be on the page once. */
export function OutboxAnnouncer() {
  const { steps, nextAt } = useOutboxState()
  const isWaiting = steps > 0 && nextAt !== null
  return <Announcement>{isWaiting && `${countOf(steps, 'change')} waiting`}</Announcement>
}

/** Shows how many changes wait for the server, and for how long. Renders nothing while none waits. */
export function OutboxStatus({ look }: { look: keyof typeof looks }) {
  const { outbox } = useGallery()
  const { steps, nextAt, failures } = useOutboxState()
  const isWaiting = steps > 0 && nextAt !== null
  const seconds = Math.max(1, useSecondsUntil(nextAt))
  if (!isWaiting) return null
  return (
    <div className={`flex min-h-9 items-center gap-2 py-1 pr-2 pl-4 text-sm ${looks[look]}`}>
      <p className="min-w-0 flex-1 py-1 text-muted tabular-nums">
        {countOf(steps, 'change')} waiting, {seconds} s
      </p>
      {failures > 0 && (
        <button
          type="button"
          className="shrink-0 rounded px-2 py-1 font-medium text-accent hover:bg-accent-soft"
          onClick={() => outbox.worker.retryNow()}
        >
          Send now
        </button>
      )}
    </div>
  )
}
