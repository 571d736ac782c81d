import { Lock, LockOpen, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type ReactZoomPanPinchRef,
  TransformComponent,
  TransformWrapper,
} from 'react-zoom-pan-pinch'
import type { ImageRecord } from '#contract/image.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import {
  actualSizeScale,
  FITTED,
  fitBox,
  maxScale,
  partOf,
  percentOf,
  type Size,
  transformTo,
} from '#gallery/ui/stage/fit-box.ts'
import type { Swipe } from '#gallery/ui/stage/swipe.ts'
import { useStageGestures } from '#gallery/ui/stage/use-stage-gestures.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { keptPart, rememberPart, toggleKeepsZoom, useKeepsZoom } from './kept-zoom.ts'
import { VIEWER_SCOPE, viewerKeys } from './viewer-keys.ts'

/** How the picture is drawn on the stage. */
export interface PictureLook {
  /** Its size without zoom. */
  readonly fitted: Size
  /** True if its pixels are drawn as squares. */
  readonly isPixelated: boolean
}

interface ZoomStageProps {
  image: ImageRecord
  onSwipe: (swipe: Swipe) => void
  picture: (look: PictureLook) => ReactNode
  /** Returns the controls of a video, which contain the zoom buttons. They are in one row if there is little room. */
  controls?: ((zoom: ReactNode, isCramped: boolean) => ReactNode) | undefined
}

const STEP = 1.5
const ANIMATION_MS = 150
/** Below this stage height, in pixels, as with the details sheet open, zoom buttons would cover the image. */
const CRAMPED_PX = 360
/** Below this stage height, in pixels, the controls of a video are in one row. */
const ONE_ROW_PX = 420
/** Above this zoom, in percent, image pixels are drawn as squares, so that they can be inspected. */
const PIXELATED_PERCENT = 200

/** One image that fits the stage at first. Wheel, pinch, keys and double click enlarge it to 800 %. */
export function ZoomStage({ image, onSwipe, picture, controls }: ZoomStageProps) {
  const element = useRef<HTMLDivElement>(null)
  const zoom = useRef<ReactZoomPanPinchRef>(null)
  const size = useElementSize(element)
  const stage = size && { width: size.widthPx, height: size.heightPx }
  const [scale, setScale] = useState(1)
  const [firstPart] = useState(keptPart)
  const ratio = window.devicePixelRatio
  const fitted = stage && fitBox(image, stage)
  const largest = fitted ? maxScale(image, fitted, ratio) : 1
  const actual = fitted ? actualSizeScale(image, fitted, ratio) : 1

  const placed = stage && fitted && { image, fitted, stage, pixelRatio: ratio }
  const initial = placed && firstPart && transformTo(firstPart, placed)
  const percent = fitted ? percentOf(scale, image, fitted, ratio) : 100

  const scaleNow = () => zoom.current?.state.scale ?? 1
  const isZoomed = () => scaleNow() > FITTED
  const zoomTo = (target: number, at = middleOf(element.current), animationMs = ANIMATION_MS) => {
    const bounded = Math.min(largest, Math.max(1, target))
    void zoom.current?.zoomToPoint(bounded, at.x, at.y, animationMs)
  }
  const zoomIn = () => zoomTo(scaleNow() * STEP)
  const zoomOut = () => zoomTo(scaleNow() / STEP)
  /** Toggles between fitting the stage and the actual size. */
  const toggle = (at = middleOf(element.current)) =>
    isZoomed() ? zoomTo(1) : zoomTo(actual > 1 ? actual : 2, at)

  useCommands(
    VIEWER_SCOPE,
    [
      { ...viewerKeys.zoomIn, run: zoomIn },
      { ...viewerKeys.zoomOut, run: zoomOut },
      { ...viewerKeys.fit, run: () => zoomTo(1) },
      { ...viewerKeys.actualSize, run: () => zoomTo(actual) },
      { ...viewerKeys.keepZoom, run: toggleKeepsZoom },
    ],
    { within: () => element.current },
  )

  useStageGestures(element, {
    isZoomed,
    onSwipe,
    onDouble: (x, y) => toggle({ x, y }),
    onZoom: (factor, x, y) => zoomTo(scaleNow() * factor, { x, y }, 0),
  })

  useEffect(() => {
    // A transform may never happen, and the viewer may close.
    rememberPart(firstPart)
  }, [firstPart])

  const width = fitted?.width
  const height = fitted?.height
  useEffect(() => {
    // After the panel opened or the window was resized, an image that is not enlarged stays centered.
    const { current } = zoom
    if (width === undefined || height === undefined || !current) return
    if (current.state.scale <= FITTED) void current.centerView(1, 0)
  }, [width, height])

  const isCramped = stage !== null && stage.height < CRAMPED_PX
  const zoomButtons = stage && (
    <ZoomButtons
      percent={percent}
      canZoomIn={scale < largest}
      canZoomOut={scale > FITTED}
      onZoomIn={zoomIn}
      onZoomOut={zoomOut}
      onToggle={() => toggle()}
    />
  )
  return (
    <>
      <div
        ref={element}
        className={`absolute inset-0 touch-none overflow-hidden ${scale > FITTED ? 'cursor-grab active:cursor-grabbing' : ''}`}
      >
        {fitted && (
          <TransformWrapper
            ref={zoom}
            minScale={1}
            maxScale={largest}
            {...(initial
              ? {
                  initialScale: initial.scale,
                  initialPositionX: initial.positionX,
                  initialPositionY: initial.positionY,
                }
              : { centerOnInit: true })}
            centerZoomedOut
            disablePadding
            wheel={{ disabled: true }}
            doubleClick={{ disabled: true }}
            velocityAnimation={{ disabled: true }}
            panning={{ disabled: scale <= FITTED }}
            onInit={({ state }) => setScale(state.scale)}
            onTransform={(_, state) => {
              setScale(state.scale)
              rememberPart(placed ? partOf(state, placed) : null)
            }}
          >
            <TransformComponent wrapperStyle={{ width: '100%', height: '100%' }}>
              {picture({ fitted, isPixelated: percent > PIXELATED_PERCENT })}
            </TransformComponent>
          </TransformWrapper>
        )}
        {!controls && zoomButtons && (
          <div
            className={`fade-when-idle absolute bottom-3 left-1/2 z-10 -translate-x-1/2 rounded-full border border-line bg-raised px-1 shadow-raised ${isCramped ? 'pointer-coarse:hidden' : ''}`}
          >
            {zoomButtons}
          </div>
        )}
      </div>
      {/* Next to the stage, because its gestures would also move the sliders. */}
      {controls?.(zoomButtons, stage !== null && stage.height < ONE_ROW_PX)}
    </>
  )
}

function middleOf(element: HTMLElement | null): { x: number; y: number } {
  const box = element?.getBoundingClientRect()
  return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : { x: 0, y: 0 }
}

interface ZoomButtonsProps {
  percent: number
  canZoomIn: boolean
  canZoomOut: boolean
  onZoomIn: () => void
  onZoomOut: () => void
  onToggle: () => void
}

/** The zoom level, and buttons to change it. On touch screens, a pinch or a double tap zooms too. */
function ZoomButtons(props: ZoomButtonsProps) {
  const { percent, canZoomIn, canZoomOut, onZoomIn, onZoomOut, onToggle } = props
  const keepsZoom = useKeepsZoom()
  return (
    <div className="flex items-center">
      <IconButton
        label={viewerKeys.zoomOut.label}
        icon={ZoomOut}
        commandId={viewerKeys.zoomOut.id}
        disabled={!canZoomOut}
        onClick={onZoomOut}
      />
      <button
        type="button"
        className="h-8 min-w-12 rounded pointer-coarse:h-11 text-muted text-xs tabular-nums hover:text-ink"
        title={canZoomOut ? 'Fit to the window' : 'Actual size'}
        onClick={onToggle}
      >
        {percent} %
      </button>
      <IconButton
        label={viewerKeys.zoomIn.label}
        icon={ZoomIn}
        commandId={viewerKeys.zoomIn.id}
        disabled={!canZoomIn}
        onClick={onZoomIn}
      />
      <IconButton
        label={viewerKeys.keepZoom.label}
        icon={keepsZoom ? Lock : LockOpen}
        commandId={viewerKeys.keepZoom.id}
        aria-pressed={keepsZoom}
        className={keepsZoom ? 'bg-hover text-ink' : ''}
        onClick={toggleKeepsZoom}
      />
    </div>
  )
}
