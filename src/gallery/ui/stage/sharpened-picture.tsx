import { type CSSProperties, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Size } from './fit-box.ts'

export type LoadState = 'loading' | 'ready' | 'failed'

interface SharpenedPictureProps {
  alt: string
  size: Size
  thumbnailUrl: string
  fullUrl: string
  /** False if the full resolution may have transparent pixels. */
  isOpaque: boolean
  /** True if its pixels are drawn as squares. */
  isPixelated: boolean
  onLoadState?: (state: LoadState) => void
  style?: CSSProperties
}

/** The thumbnail, and over it the full resolution once decoded. It stays below, so that the change does not flash. */
export function SharpenedPicture(props: SharpenedPictureProps) {
  const { alt, size, thumbnailUrl, fullUrl, isOpaque, isPixelated, onLoadState, style } = props
  const full = useRef<HTMLImageElement>(null)
  const [isReady, setReady] = useState(false)
  const report = useEffectEvent((state: LoadState) => onLoadState?.(state))

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

  const isTransparent = isReady && !isOpaque
  return (
    <div className="relative" style={{ ...size, ...style }}>
      <img
        src={thumbnailUrl}
        alt=""
        draggable={false}
        className="absolute inset-0 size-full"
        // Hidden because its blurred edges would be visible through a transparent image.
        style={{ visibility: isTransparent ? 'hidden' : 'visible' }}
      />
      <img
        ref={full}
        alt={alt}
        draggable={false}
        className="absolute inset-0 size-full"
        style={{ opacity: isReady ? 1 : 0, imageRendering: isPixelated ? 'pixelated' : 'auto' }}
      />
    </div>
  )
}
