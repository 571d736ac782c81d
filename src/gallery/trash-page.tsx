import { type ReactNode, useCallback, useEffect } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { useTrashFacts } from '#gallery/api/trash/trash-origin.ts'
import { ImagesPane } from '#gallery/images/images-pane.tsx'
import { TileOptions, useTileCommands } from '#gallery/images/tile-options.tsx'
import { type MoveRequest, useTrashGrid } from '#gallery/images/use-image-actions.ts'
import { PageHeader } from '#gallery/shell/page-header.tsx'
import { useSortCommands } from '#gallery/shell/use-setting-commands.ts'
import { SortOptions, ViewOptions } from '#gallery/shell/view-options.tsx'
import { askToDelete, DeleteForGoodDialog } from '#gallery/trash/delete-for-good.tsx'
import { TrashActions } from '#gallery/trash/trash-actions.tsx'
import { NoTrashedImages, TrashPane } from '#gallery/trash/trash-pane.tsx'
import { useTrash } from '#gallery/trash/use-trash.ts'
import { trashWordsOf } from '#gallery/ui/text/trash-words.ts'
import { usePlace } from '#gallery/url/use-place.ts'

export interface TrashPageProps {
  /** Temporary messages of the page. */
  notes: ReactNode
  onMove: (request: MoveRequest) => void
}

export function TrashPage({ notes, onMove }: TrashPageProps) {
  const place = usePlace()
  const { isKnown, total, noun, pendingImageCount } = useTrash()
  const factsOf = useTrashFacts()
  const captionOf = useCallback(
    (image: ImageRecord) => {
      const facts = factsOf(image)
      return facts === null ? [] : Object.values(trashWordsOf(facts))
    },
    [factsOf],
  )
  useSortCommands()
  useTileCommands()
  const kind = useTrashGrid(askToDelete, onMove, captionOf)
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
        itemCount={isKnown ? total + pendingImageCount : undefined}
        noun={noun}
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
        images={
          <ImagesPane view={viewOf(place)} noun={noun} kind={kind} empty={<NoTrashedImages />} />
        }
      />
      <DeleteForGoodDialog />
    </main>
  )
}
