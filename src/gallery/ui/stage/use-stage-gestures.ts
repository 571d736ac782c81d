import { type RefObject, useEffect, useEffectEvent } from 'react'
import { wheelFactor } from './fit-box.ts'
import { type Stroke, type Swipe, swipeOf } from './swipe.ts'

interface StageGestures {
  /** Returns true if the image is enlarged. A finger then pans it. */
  isZoomed: () => boolean
  onSwipe: (swipe: Swipe) => void
  /** Called on a double click or a double tap. */
  onDouble: (clientX: number, clientY: number) => void
  onZoom: (factor: number, clientX: number, clientY: number) => void
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
    let lastTapMs = 0
    const touched = () => {
      const wasZoomed = isZoomed()
      return (stroke: Stroke, { clientX, clientY }: Touch, atMs: number) => {
        const isTap = Math.hypot(stroke.dx, stroke.dy) < TAP_PX
        const isDouble = isTap && atMs - lastTapMs < DOUBLE_TAP_MS
        if (isTap) lastTapMs = isDouble ? 0 : atMs
        const direction = isTap || wasZoomed ? null : swipeOf(stroke)
        if (isDouble) double(clientX, clientY)
        if (direction !== null) swipe(direction)
      }
    }
    // In the capture phase, because elements inside may stop touch events while they pan.
    listenToStrokes(node, touched, { capture: true, signal })
    return () => listening.abort()
  }, [element])
}

/** Calls back when a finger swipes down on an element whose content is scrolled to its top. */
export function useSwipeDown(element: RefObject<HTMLElement | null>, onDown: () => void): void {
  const swiped = useEffectEvent(onDown)
  useEffect(() => {
    const node = element.current
    if (node === null) return
    const listening = new AbortController()
    const { signal } = listening
    const touched = ({ target }: TouchEvent) => {
      if (target instanceof Element && isScrolled(target, node)) return null
      return (stroke: Stroke) => {
        if (swipeOf(stroke) === 'down') swiped()
      }
    }
    listenToStrokes(node, touched, { signal })
    return () => listening.abort()
  }, [element])
}

type OnStroke = (stroke: Stroke, touch: Touch, atMs: number) => void

/** Calls `onStart` when a single finger touches an element, and its result when the finger leaves; `null` ignores it. */
function listenToStrokes(
  node: HTMLElement,
  onStart: (event: TouchEvent) => OnStroke | null,
  options: { signal: AbortSignal; capture?: boolean },
): void {
  let onEnd: OnStroke | null = null
  let start = { x: 0, y: 0, atMs: 0 }
  const began = (event: TouchEvent) => {
    const [touch, second] = event.touches
    onEnd = touch !== undefined && second === undefined ? onStart(event) : null
    if (touch) start = { x: touch.clientX, y: touch.clientY, atMs: event.timeStamp }
  }
  const ended = ({ changedTouches: [touch], timeStamp }: TouchEvent) => {
    const report = onEnd
    onEnd = null
    if (!report || !touch) return
    const dx = touch.clientX - start.x
    const dy = touch.clientY - start.y
    report({ dx, dy, ms: timeStamp - start.atMs }, touch, timeStamp)
  }
  node.addEventListener('touchstart', began, { ...options, passive: true })
  node.addEventListener('touchend', ended, { ...options, passive: true })
}

/** Returns true if an element or one of its ancestors up to `root` is scrolled down. */
function isScrolled(element: Element, root: Element): boolean {
  if (element.scrollTop > 0) return true
  return (
    element !== root && element.parentElement !== null && isScrolled(element.parentElement, root)
  )
}
