import { CloudOff, Trash2 } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { useCapabilities } from '#gallery/api/capabilities.ts'
import { Button } from '#gallery/ui/button.tsx'
import { countOf } from '#gallery/ui/count.ts'
import { Notice } from '#gallery/ui/notice.tsx'
import { TrashViewer } from './trash-viewer.tsx'
import { TrashedBoards } from './trashed-boards.tsx'
import { TrashedImages } from './trashed-images.tsx'
import { useTrash } from './use-trash.ts'

/** The deleted images and boards, which can be restored. */
export function TrashPane({ wantedTilePx }: { wantedTilePx: number }) {
  const [viewed, setViewed] = useState<string | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const days = useCapabilities()?.trash_days
  const { query, images, boards, imageCount = 0, imagesComing, boardsComing } = useTrash()
  const { hasNextPage, isFetching, fetchNextPage } = query
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])

  if (query.isPending) return <div className="min-h-0 flex-1" aria-busy />
  if (query.data === undefined) {
    return (
      <Notice
        icon={CloudOff}
        tone="danger"
        title="The trash did not load"
        actions={<Button onClick={() => void query.refetch()}>Retry</Button>}
      >
        {query.error?.message}
      </Notice>
    )
  }
  const isComing = imagesComing + boardsComing > 0
  if (imageCount === 0 && boards.length === 0) {
    return isComing ? (
      <Notice icon={Trash2} title="Deleted items are on their way here">
        They can be restored once they have arrived.
      </Notice>
    ) : (
      <Notice icon={Trash2} title="The trash is empty">
        Deleted items stay here for {days} days and can be restored.
      </Notice>
    )
  }
  return (
    <div ref={scroller} className="relative min-h-0 flex-1 overflow-y-auto">
      <p className="px-4 pt-4 text-muted text-sm md:px-6">
        Items are permanently deleted after {days} days.
        {isComing && ' More items are on their way here.'}
      </p>
      {boards.length > 0 && <TrashedBoards boards={boards} />}
      {imageCount > 0 && (
        <section aria-label="Images in the trash" className="px-4 pt-4 pb-20 md:px-6">
          <h2 className="mb-2 font-medium text-muted text-sm">{countOf(imageCount, 'image')}</h2>
          <TrashedImages
            images={images}
            wantedTilePx={wantedTilePx}
            days={days}
            onView={setViewed}
            scroller={scroller}
            onNearEnd={loadMore}
          />
        </section>
      )}
      <TrashViewer images={images} imageName={viewed} onShow={setViewed} />
    </div>
  )
}
