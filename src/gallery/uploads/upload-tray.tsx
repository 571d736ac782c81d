import { Progress } from '@base-ui/react/progress'
import { useEffect, useRef, useState } from 'react'
import { useIsNarrow } from '#gallery/ui/use-media.ts'
import { TrayActions } from './tray-actions.tsx'
import { TrayHeader } from './tray-header.tsx'
import { leftUploadsResumed } from './upload-actions.ts'
import { UploadList } from './upload-list.tsx'
import { useIsReading, useUploads, useUploadTally } from './upload-store.ts'
import { UploadsAnnouncer } from './uploads-announcer.tsx'
import { useFinishedToasts } from './use-finished-toasts.ts'
import { useFoot } from './use-foot.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import { useReturnOfServer } from './use-return-of-server.ts'

/**
 * Every upload of this page: all together and each by itself. Not there while there are none.
 *
 * In app.tsx it stands once, beside the page's regions and after them; it places itself in the corner.
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
  const isNarrow = useIsNarrow()
  const [isFolded, setFolded] = useState(isNarrow)
  const tray = useRef<HTMLElement>(null)
  useFoot(tray, isNarrow)
  const { left, share, failed } = useUploadTally()
  return (
    <section
      ref={tray}
      aria-label="Uploads"
      className="fixed right-2 bottom-2 left-2 z-30 overflow-hidden rounded-lg border border-line bg-raised shadow-floating sm:right-4 sm:bottom-4 sm:left-auto sm:w-96"
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
