import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import { useCapabilities } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { ImagesPane } from '#gallery/images/images-pane.tsx'
import { TileOptions, useTileCommands } from '#gallery/images/tile-options.tsx'
import { useTrashGrid } from '#gallery/images/use-image-actions.ts'
import { PageHeader } from '#gallery/shell/page-header.tsx'
import { useSortCommands } from '#gallery/shell/use-setting-commands.ts'
import { SortOptions, ViewOptions } from '#gallery/shell/view-options.tsx'
import { daysLeft } from '#gallery/trash/days-left.ts'
import { askToDelete, DeleteForGoodDialog } from '#gallery/trash/delete-for-good.tsx'
import { TrashActions } from '#gallery/trash/trash-actions.tsx'
import { NoTrashedImages, TrashPane } from '#gallery/trash/trash-pane.tsx'
import { useTrash } from '#gallery/trash/use-trash.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { usePlace } from '#gallery/url/use-place.ts'

export function TrashPage({ notes }: { notes: ReactNode }) {
  const place = usePlace()
  const days = useCapabilities()?.trash_days
  const { isKnown, total, pendingImageCount } = useTrash()
  const { queryClient } = useGallery()
  const captionOf = useCallback(
    (image: ImageRecord) => captionLines(queryClient, image, days),
    [queryClient, days],
  )
  useSortCommands()
  useTileCommands()
  const kind = useTrashGrid(askToDelete, captionOf)
  useEffect(() => {
    document.title = 'Trash · Tessera'
  }, [])
  return (
    <main
      aria-label="Trash"
      tabIndex={-1}
      className="-outline-offset-2 flex min-h-0 flex-1 flex-col"
    >
      <PageHeader
        title="Trash"
        imageCount={isKnown ? total + pendingImageCount : undefined}
        actions={
          <>
            <ViewOptions>
              <SortOptions />
              <hr className="border-line" />
              <TileOptions />
            </ViewOptions>
            <TrashActions />
          </>
        }
      />
      {notes}
      <TrashPane
        images={<ImagesPane view={viewOf(place)} kind={kind} empty={<NoTrashedImages />} />}
      />
      <DeleteForGoodDialog />
    </main>
  )
}

/** Returns the board of an image, and how long it stays in the trash. */
function captionLines(
  queryClient: QueryClient,
  { board_id, deleted_at }: ImageRecord,
  days: number | undefined,
): readonly string[] {
  const isTimeKnown = days !== undefined && deleted_at !== null
  return [
    boardNameOf(queryClient, board_id ?? 'none') ?? '',
    isTimeKnown ? `${countOf(daysLeft(deleted_at, days), 'day')} left` : '',
  ]
}
