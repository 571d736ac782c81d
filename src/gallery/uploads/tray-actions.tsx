import { Button } from '#gallery/ui/button.tsx'
import {
  allCancelled,
  existingMoved,
  failedRetried,
  finishedCleared,
  knownIds,
  movableUploads,
  uploadsDoubled,
  uploadsSkipped,
} from './upload-actions.ts'
import { useUploadTally } from './upload-store.ts'

/** What can be done about many files at once. Nothing where there is nothing of the kind. */
export function TrayActions() {
  const { canRetry, left, done, known, canMove, failed, cancelled } = useUploadTally()
  const settled = done + failed + cancelled
  if (canRetry === 0 && left === 0 && known === 0) return null
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-3 py-2">
      {left > 0 && settled > 0 && (
        <Button tone="quiet" onClick={finishedCleared}>
          Clear finished
        </Button>
      )}
      {known > 0 && (
        <>
          <Button tone="quiet" onClick={() => uploadsSkipped(knownIds())}>
            Skip duplicates
          </Button>
          {canMove > 0 && (
            <Button onClick={() => existingMoved(movableUploads())}>
              Move {canMove === 1 ? 'the existing image' : 'existing images'} here
            </Button>
          )}
          <Button onClick={() => uploadsDoubled(knownIds())}>Upload anyway</Button>
        </>
      )}
      {canRetry > 0 && <Button onClick={failedRetried}>Retry failed</Button>}
      {left > 0 && <Button onClick={allCancelled}>Cancel all</Button>}
    </footer>
  )
}
