import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type DragPayload, payloadOf } from './drag.ts'

type Kind = DragPayload['kind']
type PayloadOf<K extends Kind> = Extract<DragPayload, { kind: K }>

interface DropTarget<K extends Kind> {
  readonly kind: K
  /** Absent: accepts all drags of this kind. */
  readonly accepts?: (payload: PayloadOf<K>) => boolean
  readonly onDrop: (payload: PayloadOf<K>) => void
}

/** Makes an element a drop target. `isOver`: the pointer is over it and over no drop target inside it. */
export function useDropTarget<K extends Kind>(
  element: RefObject<HTMLElement | null>,
  target: DropTarget<K>,
): { isOver: boolean } {
  const [isOver, setIsOver] = useState(false)
  const isAccepted = useEffectEvent(
    (payload: DragPayload | null) =>
      isOfKind(payload, target.kind) && (target.accepts?.(payload) ?? true),
  )
  const drop = useEffectEvent((payload: DragPayload | null) => {
    if (isOfKind(payload, target.kind)) target.onDrop(payload)
  })
  useEffect(() => {
    const node = element.current
    if (node === null) return
    return dropTargetForElements({
      element: node,
      getDropEffect: () => 'move',
      canDrop: ({ source }) => isAccepted(payloadOf(source.data)),
      onDropTargetChange: ({ location }) =>
        setIsOver(location.current.dropTargets[0]?.element === node),
      onDrop: ({ source, location }) => {
        setIsOver(false)
        const isInnermost = location.current.dropTargets[0]?.element === node
        if (isInnermost) drop(payloadOf(source.data))
      },
    })
  }, [element])
  return { isOver }
}

const isOfKind = <K extends Kind>(payload: DragPayload | null, kind: K): payload is PayloadOf<K> =>
  payload?.kind === kind

/** Time over an element after which it opens during a drag. */
const SPRING_MS = 600

/** Calls back when something is dragged over an element for a moment, such as a closed group. It accepts no drop. */
export function useSpringLoading(element: RefObject<HTMLElement | null>, onOpen: () => void): void {
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    const node = element.current
    if (node === null) return
    let timer = 0
    const stop = () => window.clearTimeout(timer)
    const isOver = (target: EventTarget | null) => target instanceof Node && node.contains(target)
    // The browser's events, because files from the desktop open it too.
    const entered = ({ relatedTarget }: DragEvent) => {
      if (isOver(relatedTarget)) return
      stop()
      timer = window.setTimeout(open, SPRING_MS)
    }
    const left = ({ relatedTarget }: DragEvent) => {
      if (!isOver(relatedTarget)) stop()
    }
    node.addEventListener('dragenter', entered)
    node.addEventListener('dragleave', left)
    node.addEventListener('drop', stop)
    return () => {
      stop()
      node.removeEventListener('drop', stop)
      node.removeEventListener('dragenter', entered)
      node.removeEventListener('dragleave', left)
    }
  }, [element])
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
