import { Progress } from '@base-ui/react/progress'
import { useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useUploadTally } from '#gallery/api/uploads/upload-store.ts'
import { Button } from '#gallery/ui/button.tsx'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { TrayHeader } from './tray-header.tsx'
import { UploadList } from './upload-list.tsx'

/** The files of all uploads, with their progress and actions. */
export function UploadPanel() {
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

/** Buttons for bulk actions. Shows only the actions that apply. */
function TrayActions() {
  const { uploads } = useGallery()
  const { canRetry, left, done, known, canMove, failed, cancelled } = useUploadTally()
  const settled = done + failed + cancelled
  if (canRetry === 0 && left === 0 && known === 0) return null
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-3 py-2">
      {left > 0 && settled > 0 && (
        <Button tone="quiet" onClick={() => uploads.clearFinished()}>
          Clear finished
        </Button>
      )}
      {known > 0 && (
        <>
          <Button tone="quiet" onClick={() => uploads.skipDuplicates(uploads.duplicateIds())}>
            Skip duplicates
          </Button>
          {canMove > 0 && (
            <Button onClick={() => uploads.moveExistingImages(uploads.movable())}>
              Move {canMove === 1 ? 'the existing image' : 'existing images'} here
            </Button>
          )}
          <Button onClick={() => uploads.uploadDuplicates(uploads.duplicateIds())}>
            Upload anyway
          </Button>
        </>
      )}
      {canRetry > 0 && <Button onClick={() => uploads.retryFailed()}>Retry failed</Button>}
      {left > 0 && <Button onClick={() => uploads.cancelAll()}>Cancel all</Button>}
    </footer>
  )
}
