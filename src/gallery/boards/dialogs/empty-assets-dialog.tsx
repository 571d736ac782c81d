import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { type Noun, nounOfBoard } from '#gallery/api/images/noun.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { formatCount } from '#gallery/ui/text/count.ts'
import { NO_FILTER } from '#gallery/url/place-filter.ts'
import { currentPlace } from '#gallery/url/use-place.ts'
import { contentOf, thingsOf } from './content-words.ts'

interface EmptyAssetsDialogProps {
  /** The number of images and videos in Assets. */
  count: number
  videoCount: number
  onClose: () => void
}

/** Asks before all images and videos in Assets move to the trash. A checkbox is the second decision. */
export function EmptyAssetsDialog({ count, videoCount, onClose }: EmptyAssetsDialogProps) {
  const api = useGallery()
  const [isSure, setIsSure] = useState(false)
  const { data: starredCount } = useQuery(api.boardQueries.starredCount(UNCATEGORIZED_BOARD_ID))
  // The two counters may briefly disagree.
  const video_count = Math.min(videoCount, count)
  const counts = { image_count: count - video_count, video_count }
  const content = contentOf(counts)
  const things = thingsOf(counts)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Empty Assets?"
      description={
        <>
          Contains <strong className="font-semibold text-ink">{content}</strong>
          {starredCount !== undefined &&
            ` (${starredCount === 0 ? 'none' : formatCount(starredCount)} starred)`}
          .
        </>
      }
      actions={
        <>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            tone="danger"
            disabled={!isSure || count === 0}
            onClick={() => {
              onClose()
              emptyAssets(api, count, nounOfBoard(counts))
            }}
          >
            Move {content} to the trash
          </Button>
        </>
      }
    >
      <p>Boards keep theirs. You can restore the {things} from the trash.</p>
      <label className="flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={isSure}
          onChange={(event) => setIsSure(event.currentTarget.checked)}
          className="size-4 accent-danger"
        />
        Move all {things} in Assets to the trash
      </label>
    </Dialog>
  )
}

/** Moves all uncategorized images and videos to the trash, with Undo. */
function emptyAssets(
  { outbox, queryClient, imageQueries }: GalleryApi,
  count: number,
  noun: Noun,
): void {
  const place = { ...currentPlace(), ...NO_FILTER, board: UNCATEGORIZED_BOARD_ID, query: '' }
  const view = viewOf(place)
  outbox.trash({
    view,
    noun,
    positions: Array.from({ length: count }, (_, position) => position),
    names: () => queryClient.fetchQuery(imageQueries.names(view)),
  })
}
