import { useEffect, useRef, useState } from 'react'
import { countOf } from '#gallery/ui/count.ts'
import { announcementOf } from './tray-summary.ts'
import { useUploadTally } from './upload-store.ts'

/** Says aloud when a queue begins and how it ended, and nothing in between. */
export function UploadsAnnouncer() {
  const tally = useUploadTally()
  const [said, setSaid] = useState('')
  const leftBefore = useRef(0)
  useEffect(() => {
    if (leftBefore.current === 0 && tally.left > 0) {
      setSaid(`Uploading ${countOf(tally.left, 'file')}`)
    }
    if (leftBefore.current > 0 && tally.left === 0) setSaid(announcementOf(tally))
    leftBefore.current = tally.left
  }, [tally])
  return (
    <p className="sr-only" aria-live="polite">
      {said}
    </p>
  )
}
