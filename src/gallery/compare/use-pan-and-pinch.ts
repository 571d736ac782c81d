import { type RefObject, useEffect, useEffectEvent } from 'react'

interface PanAndPinch {
  onPan: (dx: number, dy: number) => void
  onPinch: (factor: number, clientX: number, clientY: number) => void
}

interface Pointer {
  readonly x: number
  readonly y: number
}

/** Handles drags by one pointer and pinches by two fingers on an element. */
export function usePanAndPinch(element: RefObject<HTMLElement | null>, actions: PanAndPinch): void {
  const pan = useEffectEvent(actions.onPan)
  const pinch = useEffectEvent(actions.onPinch)
  useEffect(() => {
    const node = element.current
    if (node === null) return
    const listening = new AbortController()
    const { signal } = listening
    const pointers = new Map<number, Pointer>()
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || isControl(event.target)) return
      pointers.set(event.pointerId, pointOf(event))
      node.setPointerCapture?.(event.pointerId)
    }
    const move = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId)
      if (before === undefined) return
      const now = pointOf(event)
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      pointers.set(event.pointerId, now)
      if (other === undefined) pan(now.x - before.x, now.y - before.y)
      else
        pinch(
          distance(now, other) / Math.max(1, distance(before, other)),
          (now.x + other.x) / 2,
          (now.y + other.y) / 2,
        )
    }
    const up = (event: PointerEvent) => pointers.delete(event.pointerId)
    node.addEventListener('pointerdown', down, { signal })
    node.addEventListener('pointermove', move, { signal })
    node.addEventListener('pointerup', up, { signal })
    node.addEventListener('pointercancel', up, { signal })
    return () => listening.abort()
  }, [element])
}

const pointOf = ({ clientX, clientY }: PointerEvent): Pointer => ({ x: clientX, y: clientY })

const distance = (a: Pointer, b: Pointer): number => Math.hypot(a.x - b.x, a.y - b.y)

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, input') !== null
