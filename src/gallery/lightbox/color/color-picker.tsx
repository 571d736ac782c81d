import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useIsFullScreen } from '#gallery/lightbox/full-screen.ts'
import { viewerElement } from '#gallery/lightbox/viewer-keys.ts'
import { Button } from '#gallery/ui/button.tsx'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { isCovered } from '#gallery/ui/keys/keys.ts'
import { drawAround, drawnPicture, LOUPE_PIXELS, type Sample, sizeOf } from './drawn-picture.ts'
import {
  loupeMiddle,
  middleOf,
  nearestIn,
  type Point,
  pixelAt,
  stepOf,
  visiblePart,
} from './picked-pixel.ts'

/** Half of the width of the loupe, in pixels. */
const RADIUS_PX = 61

/** A white line with a black one around it, which is visible on every color. Not as classes, which the page loads first. */
const RING = {
  borderStyle: 'solid',
  borderWidth: 1,
  borderColor: 'white',
  outline: '1px solid black',
} as const

/** The width of one pixel of the picture in the loupe. */
const PIXEL_WIDTH = `${100 / LOUPE_PIXELS}%`

/** A finger would cover a loupe that is nearer, in pixels. */
const GAP_PX = { mouse: 20, touch: 44 }

/** Height of the bar at the top with its distance from the edge, in pixels. */
const BAR_PX = 72

/** Steps with Shift pressed are longer. */
const LONG_STEPS = 10

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, summary') !== null

const LOADING: Sample = { problem: 'Loading…' }

/** The color below the crosshair, and the places of crosshair and loupe on the stage. */
interface Look {
  readonly sample: Sample
  /** null: there is no picture. */
  readonly crosshair: Point | null
  readonly loupe: Point | null
}

interface ColorPickerProps {
  stage: RefObject<HTMLElement | null>
  onPick: (color: string) => void
  onClose: () => void
}

/** A crosshair with a loupe over the stage. A click, the end of a touch or Enter picks the color below it. */
export function ColorPicker({ stage, onPick, onClose }: ColorPickerProps) {
  const cover = useRef<HTMLButtonElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const isPressed = useRef(false)
  /** The last position of the pointer in the window. null: unknown. */
  const [point, setPoint] = useState<Point | null>(null)
  const [pointer, setPointer] = useState<keyof typeof GAP_PX>('mouse')
  const [look, setLook] = useState<Look>({ sample: LOADING, crosshair: null, loupe: null })
  const isFullScreen = useIsFullScreen()
  useBackCloses(true, onClose)

  const pictureNow = () => {
    const picture = stage.current && drawnPicture(stage.current)
    if (!picture || !stage.current) return null
    const room = stage.current.getBoundingClientRect()
    const box = picture.getBoundingClientRect()
    const part = visiblePart(box, room)
    return part && { picture, box, room, part, size: sizeOf(picture) }
  }
  const lookAt = (wanted: Point | null): Look => {
    const now = pictureNow()
    if (now === null || canvas.current === null) {
      return { sample: LOADING, crosshair: null, loupe: null }
    }
    const { picture, box, room, part, size } = now
    const at = nearestIn(part, wanted ?? middleOf(part))
    const onStage = ({ x, y }: Point): Point => ({ x: x - room.left, y: y - room.top })
    return {
      sample: drawAround(canvas.current, picture, pixelAt(at, box, size)),
      crosshair: onStage(at),
      loupe: onStage(
        loupeMiddle(at, room, { radius: RADIUS_PX, gap: GAP_PX[pointer], bar: BAR_PX }),
      ),
    }
  }
  const pick = (wanted: Point | null) => {
    const { sample } = lookAt(wanted)
    if ('color' in sample) onPick(sample.color)
  }
  const moveBy = ({ x, y }: Point, steps: number) => {
    const now = pictureNow()
    if (now === null) return
    const from = nearestIn(now.part, point ?? middleOf(now.part))
    const length = steps * stepOf(now.box, now.size)
    setPoint(nearestIn(now.part, { x: from.x + x * length, y: from.y + y * length }))
  }

  // For each frame, because the picture also zooms, and its full resolution arrives.
  const lookAgain = useEffectEvent(() => {
    const next = lookAt(point)
    setLook((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
  })
  useEffect(() => {
    let frame = requestAnimationFrame(function again() {
      lookAgain()
      frame = requestAnimationFrame(again)
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  /** False if an element outside the stage has the focus, such as the raw metadata, which arrow keys scroll. */
  const isOursAt = (target: EventTarget | null): boolean =>
    !(target instanceof Element) ||
    target.contains(stage.current) ||
    stage.current?.contains(target) === true
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
    if (ctrlKey || metaKey || altKey || isCovered({ within: viewerElement })) return
    const direction = directions[key]
    const isPick = key === 'Enter' || key === ' '
    if (key === 'Escape') onClose()
    else if (!isOursAt(target)) return
    else if (direction) moveBy(direction, shiftKey ? LONG_STEPS : 1)
    else if (isPick && (target === cover.current || !isControl(target))) pick(point)
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    // Before the viewer, in which arrow keys page and Escape closes.
    const listener = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listener, { capture: true })
    // After a menu has closed, which returns the focus.
    const frame = requestAnimationFrame(() => cover.current?.focus({ preventScroll: true }))
    return () => {
      window.removeEventListener('keydown', listener, { capture: true })
      cancelAnimationFrame(frame)
    }
  }, [])

  const pointTo = ({ clientX: x, clientY: y, pointerType }: PointerEvent) => {
    setPoint({ x, y })
    setPointer(pointerType === 'touch' ? 'touch' : 'mouse')
    return { x, y }
  }
  const { sample, crosshair, loupe } = look
  const color = 'color' in sample ? sample.color : null
  return (
    <div className="absolute inset-0 z-0">
      <button
        ref={cover}
        type="button"
        aria-label={color === null ? 'Pick a color' : `Pick the color ${color}`}
        className="absolute inset-0 size-full touch-none select-none outline-none"
        style={{ cursor: 'crosshair' }}
        // Otherwise the menu of the viewer opens by a right click and a long press.
        onContextMenu={(event) => {
          event.preventDefault()
          event.stopPropagation()
        }}
        onTouchStart={(event) => event.stopPropagation()}
        onPointerMove={(event) => event.isPrimary && pointTo(event)}
        onPointerDown={(event) => {
          isPressed.current = event.isPrimary && event.button === 0
          if (!isPressed.current) return
          event.currentTarget.setPointerCapture(event.pointerId)
          pointTo(event)
        }}
        onPointerUp={(event) => {
          if (!event.isPrimary || !isPressed.current) return
          isPressed.current = false
          pick(pointTo(event))
        }}
        onPointerCancel={() => {
          isPressed.current = false
        }}
        // Screen readers click without a pointer.
        onClick={({ detail }) => detail === 0 && pick(point)}
      />
      {crosshair && (
        <span
          aria-hidden
          className="pointer-events-none absolute size-4 -translate-x-1/2 -translate-y-1/2 rounded-full"
          style={{ ...RING, borderWidth: 2, left: crosshair.x, top: crosshair.y }}
        />
      )}
      <div
        className={`absolute left-1/2 flex max-w-[calc(100%-2rem)] -translate-x-1/2 items-center gap-2 rounded-full border border-line bg-raised py-1 pr-1 pl-3 text-sm shadow-raised ${isFullScreen ? 'top-14' : 'top-3'}`}
        style={{ width: 'max-content' }}
      >
        <span
          aria-hidden
          className="size-4 shrink-0 rounded-full border border-line"
          style={{ backgroundColor: color ?? 'transparent' }}
        />
        <output className="min-w-0 font-medium tabular-nums">
          {'color' in sample ? sample.color : sample.problem}
        </output>
        <span className="text-muted max-sm:hidden pointer-coarse:hidden">
          Click, or move with the arrow keys and press Enter
        </span>
        <span className="hidden text-muted pointer-coarse:inline">Drag to pick</span>
        <Button tone="quiet" className="rounded-full" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <div
        aria-hidden
        className="pointer-events-none absolute -translate-x-1/2 -translate-y-1/2 overflow-hidden rounded-full bg-sunken shadow-floating"
        style={{
          ...RING,
          borderWidth: 4,
          left: loupe?.x,
          top: loupe?.y,
          width: 2 * RADIUS_PX,
          height: 2 * RADIUS_PX,
          visibility: loupe === null ? 'hidden' : 'visible',
          borderColor: color ?? RING.borderColor,
        }}
      >
        <canvas
          ref={canvas}
          width={LOUPE_PIXELS}
          height={LOUPE_PIXELS}
          className="size-full"
          style={{ imageRendering: 'pixelated' }}
        />
        <span
          className="absolute top-1/2 left-1/2 -translate-x-1/2 -translate-y-1/2"
          style={{ ...RING, width: PIXEL_WIDTH, height: PIXEL_WIDTH }}
        />
      </div>
    </div>
  )
}
