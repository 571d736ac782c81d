import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type DragPayload, payloadOf } from './drag.ts'

interface DropTarget {
  /** Absent: accepts all drags of the page. */
  readonly accepts?: (payload: DragPayload) => boolean
  readonly onDrop: (payload: DragPayload) => void
}

/** Makes an element a drop target. `isOver`: the pointer is over it and over no drop target inside it. */
export function useDropTarget(
  element: RefObject<HTMLElement | null>,
  target: DropTarget,
): { isOver: boolean } {
  const [isOver, setIsOver] = useState(false)
  const accepts = useEffectEvent((payload: DragPayload) => target.accepts?.(payload) ?? true)
  const drop = useEffectEvent(target.onDrop)
  useEffect(() => {
    const node = element.current
    if (node === null) return
    return dropTargetForElements({
      element: node,
      getDropEffect: () => 'move',
      canDrop: ({ source }) => {
        const payload = payloadOf(source.data)
        return payload !== null && accepts(payload)
      },
      onDropTargetChange: ({ location }) =>
        setIsOver(location.current.dropTargets[0]?.element === node),
      onDrop: ({ source, location }) => {
        setIsOver(false)
        const payload = payloadOf(source.data)
        const isInnermost = location.current.dropTargets[0]?.element === node
        if (payload !== null && isInnermost) drop(payload)
      },
    })
  }, [element])
  return { isOver }
}

/** Scrolls an element while something is dragged near its edges. */
export function useAutoScroll(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (element.current === null) return
    return autoScrollForElements({
      element: element.current,
      canScroll: ({ source }) => payloadOf(source.data) !== null,
    })
  }, [element])
}
