import { ImageOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import type { Size } from '#gallery/ui/stage/fit-box.ts'
import { type LoadState, SharpenedPicture } from '#gallery/ui/stage/sharpened-picture.tsx'
import { imageLabelOf } from '#gallery/ui/text/names.ts'
import { closeImage } from '#gallery/url/use-place.ts'

interface StageImageProps {
  image: ImageRecord
  fitted: Size
  isPixelated: boolean
  /** URL of the full resolution, or of the largest rendition that browsers can draw. */
  fullUrl: string
  onLoadState: (state: LoadState) => void
}

export function StageImage({ image, fitted, ...picture }: StageImageProps) {
  const { client } = useGallery()
  return (
    <div className="viewed-picture shrink-0">
      <SharpenedPicture
        alt={imageLabelOf(image)}
        size={fitted}
        thumbnailUrl={client.images.thumbnailUrl(image)}
        isOpaque={image.media_type === 'image/jpeg'}
        {...picture}
      />
    </div>
  )
}

/** The way from a deleted image to the one that follows it, or to the one before it if it was the last. */
export interface WayOn {
  readonly label: string
  readonly go: () => void
}

interface NoImageProps {
  /** `image` or `video`. */
  noun: string
  isMissing: boolean
  hasFailed: boolean
  /** True if the image was shown before it was missing. */
  wasShown: boolean
  /** null: this was the only image. */
  wayOn: WayOn | null
}

/** The message on the stage without an image: it is loading, missing, or failed to load. */
export function NoImage({ noun, isMissing, hasFailed, wasShown, wayOn }: NoImageProps) {
  const back = <Button onClick={closeImage}>Back to the images</Button>
  if (isMissing && wasShown) {
    const actions = (
      <>
        {wayOn !== null && <Button onClick={wayOn.go}>{wayOn.label}</Button>}
        {back}
      </>
    )
    return (
      <Notice icon={ImageOff} title={`This ${noun} was deleted`} actions={actions}>
        It was deleted permanently while you looked at it.
      </Notice>
    )
  }
  if (isMissing) {
    return (
      <Notice
        icon={ImageOff}
        title={`${noun === 'video' ? 'Video' : 'Image'} not found`}
        actions={back}
      >
        It may have been deleted, or the link may belong to another gallery.
      </Notice>
    )
  }
  if (hasFailed) {
    return (
      <Notice icon={TriangleAlert} tone="danger" title={`Couldn’t load the ${noun}`} actions={back}>
        The server did not answer. Go back and try again.
      </Notice>
    )
  }
  return (
    <div role="status" className="flex h-full items-center justify-center text-muted">
      <LoaderCircle aria-hidden size={24} className="animate-spin" />
      <span className="sr-only">Loading the {noun}</span>
    </div>
  )
}
