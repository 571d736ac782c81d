import { Progress } from '@base-ui/react/progress'
import { useEffect, useState } from 'react'
import { focusFallback } from '#gallery/ui/focus.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { TrayActions } from './tray-actions.tsx'
import { TrayHeader } from './tray-header.tsx'
import { leftUploadsResumed } from './upload-actions.ts'
import { UploadList } from './upload-list.tsx'
import { useIsReading, useUploads, useUploadTally } from './upload-store.ts'
import { UploadsAnnouncer } from './uploads-announcer.tsx'
import { useFinishedToasts } from './use-finished-toasts.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import { useReturnOfServer } from './use-return-of-server.ts'

/**
 * Every upload of this page: all together and each by itself. Not there while there are none.
 *
 * In app.tsx it stands once, in the corner of the page.
 * It also picks up what an earlier page left unfinished.
 */
export function UploadTray() {
  const isEmpty = useUploads().length === 0
  const isReading = useIsReading()
  useLeaveWarning()
  useFinishedToasts()
  useReturnOfServer()
  useEffect(() => {
    void leftUploadsResumed()
  }, [])
  return (
    <>
      <UploadsAnnouncer />
      {(!isEmpty || isReading) && <Tray />}
    </>
  )
}

function Tray() {
  const isCompact = useIsCompact()
  const [isFolded, setFolded] = useState(isCompact)
  const { left, share, failed } = useUploadTally()
  return (
    <section
      {...focusFallback}
      aria-label="Uploads"
      className="overflow-hidden rounded-lg border border-line bg-raised shadow-floating"
    >
      <TrayHeader isFolded={isFolded} onFold={setFolded} />
      {left > 0 && (
        <Progress.Root value={Math.round(share * 100)} aria-label="All uploads">
          <Progress.Track className="block h-1 bg-sunken">
            <Progress.Indicator className="block h-full bg-accent transition-[width]" />
          </Progress.Track>
        </Progress.Root>
      )}
      {left === 0 && failed > 0 && <div className="h-1 bg-danger" />}
      {!isFolded && (
        <div className="border-line border-t">
          <UploadList />
          <TrayActions />
        </div>
      )}
    </section>
  )
}
