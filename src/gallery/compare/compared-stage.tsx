import { Star, X } from 'lucide-react'
import { type CSSProperties, type ReactNode, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { MAX_RATING } from '#contract/limits.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { drawnUrl } from '#gallery/api/images/drawn-url.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { FITTED, type Size } from '#gallery/ui/stage/fit-box.ts'
import { type LoadState, SharpenedPicture } from '#gallery/ui/stage/sharpened-picture.tsx'
import type { Swipe } from '#gallery/ui/stage/swipe.ts'
import { useStageGestures } from '#gallery/ui/stage/use-stage-gestures.ts'
import { fileNameOf, imageLabelOf } from '#gallery/ui/text/names.ts'
import { compareKeys } from './compare-keys.ts'
import { filledBox, panned, transformOf, type Zoom, zoomedAt } from './linked-zoom.ts'
import { usePanAndPinch } from './use-pan-and-pinch.ts'

/** The zoom at which one pixel of the image is one pixel of the screen. */
export const actualScale = (image: Size, stage: Size): number =>
  Math.max(1, image.width / filledBox(image, stage).width / window.devicePixelRatio)

/** Maximum zoom: 800 %, or twice the size of a small image. */
export const largestScale = (image: Size, stage: Size): number =>
  Math.max(2, 8 * actualScale(image, stage))

export interface StageProps {
  images: readonly ImageRecord[]
  stage: Size
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  onSwipe: (swipe: Swipe) => void
  children: ReactNode
}

/** An area whose pictures zoom and pan together. */
export function Stage({ images: [image], stage, zoom, onZoom, onSwipe, children }: StageProps) {
  const element = useRef<HTMLDivElement>(null)
  const placed = image && { fitted: filledBox(image, stage), stage }
  const largest = image ? largestScale(image, stage) : 1
  const zoomTo = (scale: number, clientX: number, clientY: number) => {
    const box = element.current?.getBoundingClientRect()
    if (!placed || !box) return
    const at = { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
    onZoom(zoomedAt(zoom, Math.min(largest, Math.max(1, scale)), at, placed))
  }
  const isZoomed = () => zoom.scale > FITTED
  useStageGestures(element, {
    isZoomed,
    onSwipe,
    onDouble: (x, y) =>
      zoomTo(isZoomed() ? 1 : image ? Math.max(2, actualScale(image, stage)) : 1, x, y),
    onZoom: (factor, x, y) => zoomTo(zoom.scale * factor, x, y),
  })
  usePanAndPinch(element, {
    onPan: (x, y) => placed && isZoomed() && onZoom(panned(zoom, { x, y }, placed)),
    onPinch: (factor, x, y) => zoomTo(zoom.scale * factor, x, y),
  })
  return (
    <div
      ref={element}
      className={`relative touch-none overflow-hidden ${isZoomed() ? 'cursor-grab active:cursor-grabbing' : ''}`}
      style={stage}
    >
      {children}
    </div>
  )
}

interface LayerProps {
  image: ImageRecord
  stage: Size
  zoom: Zoom
  style?: CSSProperties
  onLoadState?: (state: LoadState) => void
}

/** One picture over a whole stage. */
export function Layer({ image, stage, zoom, style, ...picture }: LayerProps) {
  const { client } = useGallery()
  const fitted = filledBox(image, stage)
  return (
    <div className="pointer-events-none absolute inset-0 overflow-hidden" style={style}>
      <SharpenedPicture
        alt=""
        size={fitted}
        thumbnailUrl={client.images.thumbnailUrl(image)}
        fullUrl={drawnUrl(client, image)}
        isOpaque={image.media_type === 'image/jpeg'}
        isPixelated={zoom.scale > 2 * actualScale(image, stage)}
        style={{ transform: transformOf(zoom, { fitted, stage }), transformOrigin: '0 0' }}
        {...picture}
      />
    </div>
  )
}

interface ComparedStageProps extends Omit<StageProps, 'images' | 'children'> {
  image: ImageRecord
  number: number
  count: number
  isFocused: boolean
  onFocus: () => void
  onRemove: () => void
  /** Present in a tournament. */
  onWin: (() => void) | undefined
}

/** One image of the comparison, with its name. */
export function ComparedStage(props: ComparedStageProps) {
  const { image, number, count, isFocused, onFocus, onRemove, onWin, ...stage } = props
  const [loadState, setLoadState] = useState<LoadState>('loading')
  const label = [
    `Image ${number} of ${count}: ${imageLabelOf(image)}`,
    image.starred && 'starred',
    image.rating > 0 && `rated ${image.rating} of ${MAX_RATING}`,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <li
      className={`relative min-h-0 min-w-0 ${isFocused ? 'after:pointer-events-none after:absolute after:inset-0 after:border-2 after:border-accent' : ''}`}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        role="group"
        aria-label={label}
        aria-current={isFocused || undefined}
        tabIndex={isFocused ? 0 : -1}
        data-stage
        className="outline-none"
        onFocus={onFocus}
      >
        <Stage images={[image]} {...stage}>
          <Layer image={image} stage={stage.stage} zoom={stage.zoom} onLoadState={setLoadState} />
        </Stage>
      </div>
      <Caption
        image={image}
        number={number}
        note={loadState === 'failed' ? 'Only a thumbnail' : image.video ? 'Video' : null}
      >
        {onWin && (
          <Button tone="quiet" className="h-7" onClick={onWin}>
            {compareKeys.win.label}
          </Button>
        )}
        <IconButton
          label={`${compareKeys.remove.label}: image ${number}`}
          icon={X}
          commandId={compareKeys.remove.id}
          onClick={onRemove}
        />
      </Caption>
    </li>
  )
}

interface CaptionProps {
  image: ImageRecord
  number: number
  note?: string | null
  children?: ReactNode
}

/** The number and name of an image below its picture. */
export function Caption({ image, number, note = null, children }: CaptionProps) {
  return (
    <span className="flex h-8 items-center gap-2 pointer-coarse:h-11 pl-3 text-sm">
      <span className="text-muted tabular-nums">{number}</span>
      {image.starred && (
        <Star aria-hidden size={14} fill="currentColor" className="shrink-0 text-star" />
      )}
      {image.rating > 0 && (
        <span aria-hidden className="shrink-0 text-star text-xs">
          {'★'.repeat(image.rating)}
        </span>
      )}
      <bdi className="min-w-0 flex-1 truncate">{fileNameOf(image)}</bdi>
      {note !== null && <span className="text-muted text-xs">{note}</span>}
      {children}
    </span>
  )
}
