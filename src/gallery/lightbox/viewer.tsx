import { useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { ImageView } from '#gallery/api/image-windows.ts'
import { imageUrls } from '#gallery/api/metadata-queries.ts'
import { formatCount } from '#gallery/ui/count.ts'
import { detailsToggled, useIsDetailsOpen } from '#gallery/ui/details-preference.ts'
import { useIsBeside } from '#gallery/ui/use-media.ts'
import { closeImage } from '#gallery/url/use-place.ts'
import { DetailsPanel } from './details-panel.tsx'
import type { LightboxActions } from './lightbox-actions.ts'
import { LightboxToolbar } from './lightbox-toolbar.tsx'
import { NoImage } from './no-image.tsx'
import { PageButton } from './page-button.tsx'
import type { LoadState } from './stage-image.tsx'
import { StageNote } from './stage-note.tsx'
import { afterRemoval, formatStanding } from './standing.ts'
import type { Swipe } from './swipe.ts'
import { usePrefetch } from './use-prefetch.ts'
import { useViewedImage } from './use-viewed-image.ts'
import { useViewerKeys } from './use-viewer-keys.ts'
import { ZoomStage } from './zoom-stage.tsx'

interface ViewerProps {
  view: ImageView
  imageName: string
  actions: LightboxActions
}

/** Largest side of the picture that stands for a file that browsers cannot draw. */
const DRAWN_SIZE_PX = 1536

const isDrawable = ({ media_type }: ImageRecord): boolean => media_type !== 'image/tiff'

const drawnUrl = (image: ImageRecord): string =>
  isDrawable(image) ? imageUrls.full(image) : imageUrls.thumbnail(image, DRAWN_SIZE_PX)

/** What is inside the lightbox: a picture, the ways to its neighbours, and its details. */
export function Viewer({ view, imageName, actions }: ViewerProps) {
  const viewed = useViewedImage(view, imageName)
  const { image, hasFailed, standing, total, neighbours, beside, part, showPosition } = viewed
  const [loaded, setLoaded] = useState<{ imageName: string; state: LoadState } | null>(null)
  const isDetailsOpen = useIsDetailsOpen()
  const isSheet = !useIsBeside()
  const loadState = loaded?.imageName === imageName ? loaded.state : 'loading'

  // Neighbours wait until the picture itself is there, and then come thumbnail first.
  usePrefetch([
    ...beside.map((neighbour) => imageUrls.thumbnail(neighbour)),
    ...(loadState === 'loading' ? [] : beside.map(drawnUrl)),
  ])

  const show = (position: number | null) => position !== null && showPosition(position)
  const remove = (removed: ImageRecord) => {
    const following = afterRemoval(neighbours)
    if (following === null) closeImage()
    else showPosition(following)
    actions.onDelete(removed)
  }
  const swiped = (swipe: Swipe) => {
    if (swipe !== 'down') show(neighbours[swipe])
    else if (isDetailsOpen && isSheet) detailsToggled()
    else closeImage()
  }
  const ownActions = { ...actions, onDelete: remove }
  useViewerKeys({ image: image ?? null, neighbours, total, show, actions: ownActions })

  return (
    <>
      <LightboxToolbar
        image={image ?? null}
        standing={standing === null ? '' : formatStanding(standing, total, formatCount)}
        actions={ownActions}
        onClose={closeImage}
      />
      <div className="flex min-h-0 flex-1 flex-col md:flex-row">
        <div className="relative min-h-0 min-w-0 flex-1">
          {image ? (
            <ZoomStage
              key={image.image_name}
              image={image}
              fullUrl={drawnUrl(image)}
              onLoadState={(state) => setLoaded({ imageName: image.image_name, state })}
              onSwipe={swiped}
            />
          ) : (
            <NoImage isMissing={image === null} hasFailed={hasFailed} />
          )}
          {image && <StageNote isDrawable={isDrawable(image)} loadState={loadState} />}
          <PageButton direction="previous" position={neighbours.previous} onShow={show} />
          <PageButton direction="next" position={neighbours.next} onShow={show} />
        </div>
        {isDetailsOpen && image && (
          <DetailsPanel key={image.image_name} image={image} part={part} />
        )}
      </div>
    </>
  )
}
