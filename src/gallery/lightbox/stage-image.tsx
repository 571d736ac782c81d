import { ImageOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { imageLabelOf } from '#gallery/ui/text/names.ts'
import { closeImage } from '#gallery/url/use-place.ts'
import type { Size } from './fit-box.ts'

export type LoadState = 'loading' | 'ready' | 'failed'

interface StageImageProps {
  image: ImageRecord
  fitted: Size
  isPixelated: boolean
  /** URL of the full resolution, or of the largest rendition that browsers can draw. */
  fullUrl: string
  onLoadState: (state: LoadState) => void
}

/** The thumbnail, and over it the full resolution once decoded. It stays below, so that the change does not flash. */
export function StageImage(props: StageImageProps) {
  const { image, fitted, isPixelated, fullUrl, onLoadState } = props
  const { client } = useGallery()
  const full = useRef<HTMLImageElement>(null)
  const [isReady, setReady] = useState(false)
  const report = useEffectEvent(onLoadState)

  // In a layout effect, so that its cleanup runs before the removal: Chromium never frees an image whose attributes change
  // outside the document.
  useLayoutEffect(() => {
    const node = full.current
    if (node === null) return
    let isOver = false
    const ended = (state: LoadState) => {
      if (isOver) return
      setReady(state === 'ready')
      report(state)
    }
    report('loading')
    node.src = fullUrl
    node.decode().then(
      () => ended('ready'),
      () => ended('failed'),
    )
    return () => {
      isOver = true
      // Cancels a download that is no longer needed.
      node.removeAttribute('src')
    }
  }, [fullUrl])

  const isTransparent = isReady && image.media_type !== 'image/jpeg'
  return (
    <div className="viewed-picture relative shrink-0" style={fitted}>
      <img
        src={client.images.thumbnailUrl(image)}
        alt=""
        draggable={false}
        className="absolute inset-0 size-full"
        // Hidden because its blurred edges would be visible through a transparent image.
        style={{ visibility: isTransparent ? 'hidden' : 'visible' }}
      />
      <img
        ref={full}
        alt={imageLabelOf(image)}
        draggable={false}
        className="absolute inset-0 size-full"
        style={{ opacity: isReady ? 1 : 0, imageRendering: isPixelated ? 'pixelated' : 'auto' }}
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
