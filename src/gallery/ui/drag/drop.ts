import {
  dropTargetForElements,
  type ElementDropTargetEventBasePayload,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type DragPayload, payloadOf } from './drag.ts'

type Kind = DragPayload['kind']
type PayloadOf<K extends Kind> = Extract<DragPayload, { kind: K }>

interface DropTarget<K extends Kind> {
  readonly kind: K
  /** Absent: accepts all drags of this kind. `at`: the height of the pointer in the element, from 0 to 1. */
  readonly accepts?: (payload: PayloadOf<K>, at: number) => boolean
  readonly onDrop: (payload: PayloadOf<K>) => void
}

/** Makes an element a drop target. `isOver`: the pointer is over it and over no drop target inside it. */
export function useDropTarget<K extends Kind>(
  element: RefObject<HTMLElement | null>,
  target: DropTarget<K>,
): { isOver: boolean } {
  const [isOver, setIsOver] = useState(false)
  const isAccepted = useEffectEvent(
    (payload: DragPayload | null, at: number) =>
      isOfKind(payload, target.kind) && (target.accepts?.(payload, at) ?? true),
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
      canDrop: ({ source, input }) => isAccepted(payloadOf(source.data), heightIn(node, input)),
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

/** The edge of an element next to which something is dropped. */
export type Edge = 'before' | 'after'

interface EdgeDropTarget<K extends Kind> {
  readonly kind: K
  /** Returns the edge for a pointer at this height in the element, from 0 to 1. null: no drop here. */
  readonly edgeAt: (payload: PayloadOf<K>, at: number) => Edge | null
  readonly onDrop: (payload: PayloadOf<K>, edge: Edge) => void
}

/** Makes the edges of an element drop targets, to order a list. Returns the edge next to the pointer. */
export function useEdgeDropTarget<K extends Kind>(
  element: RefObject<HTMLElement | null>,
  target: EdgeDropTarget<K>,
): Edge | null {
  const [edge, setEdge] = useState<Edge | null>(null)
  const edgeOf = useEffectEvent((payload: DragPayload | null, at: number) =>
    isOfKind(payload, target.kind) ? target.edgeAt(payload, at) : null,
  )
  const drop = useEffectEvent((payload: DragPayload | null, at: Edge) => {
    if (isOfKind(payload, target.kind)) target.onDrop(payload, at)
  })
  useEffect(() => {
    const node = element.current
    if (node === null) return
    const edgeNow = ({ source, location }: ElementDropTargetEventBasePayload) => {
      const { dropTargets, input } = location.current
      if (dropTargets[0]?.element !== node) return null
      return edgeOf(payloadOf(source.data), heightIn(node, input))
    }
    return dropTargetForElements({
      element: node,
      getDropEffect: () => 'move',
      canDrop: ({ source, input }) =>
        edgeOf(payloadOf(source.data), heightIn(node, input)) !== null,
      onDrag: (event) => setEdge(edgeNow(event)),
      onDragLeave: () => setEdge(null),
      onDrop: (event) => {
        setEdge(null)
        const at = edgeNow(event)
        if (at !== null) drop(payloadOf(event.source.data), at)
      },
    })
  }, [element])
  return edge
}

const heightIn = (element: Element, { clientY }: { clientY: number }): number => {
  const { top, height } = element.getBoundingClientRect()
  return (clientY - top) / height
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
