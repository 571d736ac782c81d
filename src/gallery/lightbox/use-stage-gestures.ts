import { type RefObject, useEffect, useEffectEvent } from 'react'
import { wheelFactor } from './fit-box.ts'
import { type Swipe, swipeOf } from './swipe.ts'

interface StageGestures {
  /** Returns true if the image is enlarged. A finger then pans it. */
  isZoomed: () => boolean
  onSwipe: (swipe: Swipe) => void
  /** Called on a double click or a double tap. */
  onDouble: (clientX: number, clientY: number) => void
  onZoom: (factor: number, clientX: number, clientY: number) => void
}

interface Start {
  readonly x: number
  readonly y: number
  readonly atMs: number
  readonly isZoomed: boolean
}

const DOUBLE_TAP_MS = 300
const TAP_PX = 10

/**
 * Handles wheel, double click, swipe and double tap on an element. The listeners are added to the element: React's
 * wheel listeners are passive and could not prevent the browser from zooming the page.
 */
export function useStageGestures(
  element: RefObject<HTMLElement | null>,
  gestures: StageGestures,
): void {
  const isZoomed = useEffectEvent(gestures.isZoomed)
  const swipe = useEffectEvent(gestures.onSwipe)
  const double = useEffectEvent(gestures.onDouble)
  const zoom = useEffectEvent(gestures.onZoom)

  useEffect(() => {
    const node = element.current
    if (node === null) return
    const listening = new AbortController()
    const { signal } = listening

    const turn = (event: WheelEvent) => {
      event.preventDefault()
      zoom(wheelFactor(event), event.clientX, event.clientY)
    }
    const doubleClick = (event: MouseEvent) => {
      const isOnButton = event.target instanceof Element && event.target.closest('button') !== null
      if (!isOnButton) double(event.clientX, event.clientY)
    }
    node.addEventListener('wheel', turn, { passive: false, signal })
    node.addEventListener('dblclick', doubleClick, { signal })
    const touched = {
      isZoomed: () => isZoomed(),
      onSwipe: (direction: Swipe) => swipe(direction),
      onDouble: (x: number, y: number) => double(x, y),
    }
    listenToTouch(node, touched, signal)
    return () => listening.abort()
  }, [element])
}

/** Calls back when a finger swipes down on an element whose content is scrolled to its top. */
export function useSwipeDown(element: RefObject<HTMLElement | null>, onDown: () => void): void {
  const swiped = useEffectEvent(onDown)
  useEffect(() => {
    const node = element.current
    if (node === null) return
    let start: { x: number; y: number; atMs: number } | null = null
    const began = ({ touches: [touch, second], target, timeStamp }: TouchEvent) => {
      const isAtTop = !(target instanceof Element) || !isScrolled(target, node)
      const isOneFinger = touch !== undefined && second === undefined
      start =
        isOneFinger && isAtTop ? { x: touch.clientX, y: touch.clientY, atMs: timeStamp } : null
    }
    const ended = ({ changedTouches: [touch], timeStamp }: TouchEvent) => {
      const from = start
      start = null
      if (!from || !touch) return
      const { clientX, clientY } = touch
      const stroke = { dx: clientX - from.x, dy: clientY - from.y, ms: timeStamp - from.atMs }
      if (swipeOf(stroke) === 'down') swiped()
    }
    node.addEventListener('touchstart', began, { passive: true })
    node.addEventListener('touchend', ended, { passive: true })
    return () => {
      node.removeEventListener('touchstart', began)
      node.removeEventListener('touchend', ended)
    }
  }, [element])
}

/** Returns true if an element or one of its ancestors up to `root` is scrolled down. */
function isScrolled(element: Element, root: Element): boolean {
  if (element.scrollTop > 0) return true
  return (
    element !== root && element.parentElement !== null && isScrolled(element.parentElement, root)
  )
}

/** Listens in the capture phase, because elements inside may stop touch events while they pan. */
function listenToTouch(
  node: HTMLElement,
  gestures: Omit<StageGestures, 'onZoom'>,
  signal: AbortSignal,
): void {
  let start: Start | null = null
  let lastTapMs = 0
  const began = ({ touches, timeStamp }: TouchEvent) => {
    const [touch, second] = touches
    const isOneFinger = touch !== undefined && second === undefined
    start = isOneFinger
      ? { x: touch.clientX, y: touch.clientY, atMs: timeStamp, isZoomed: gestures.isZoomed() }
      : null
  }
  const ended = ({ changedTouches: [touch], timeStamp }: TouchEvent) => {
    const from = start
    start = null
    if (!from || !touch) return
    const stroke = {
      dx: touch.clientX - from.x,
      dy: touch.clientY - from.y,
      ms: timeStamp - from.atMs,
    }
    const isTap = Math.hypot(stroke.dx, stroke.dy) < TAP_PX
    const isDouble = isTap && timeStamp - lastTapMs < DOUBLE_TAP_MS
    if (isTap) lastTapMs = isDouble ? 0 : timeStamp
    const direction = isTap || from.isZoomed ? null : swipeOf(stroke)
    if (isDouble) gestures.onDouble(touch.clientX, touch.clientY)
    if (direction !== null) gestures.onSwipe(direction)
  }
  node.addEventListener('touchstart', began, { capture: true, passive: true, signal })
  node.addEventListener('touchend', ended, { capture: true, passive: true, signal })
}
