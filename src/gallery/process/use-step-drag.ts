import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { type RefObject, useEffect, useState } from 'react'
import { stepMoved } from './chain-store.ts'

const STEP = 'the id of the step that is dragged'

interface StepDrag {
  card: RefObject<HTMLElement | null>
  handle: RefObject<HTMLElement | null>
  id: number
  index: number
}

/** Lets a step be dragged by its handle to where another one stands. Whether one is over it. */
export function useStepDrag({ card, handle, id, index }: StepDrag): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    if (card.current === null || handle.current === null) return
    return combine(
      draggable({
        element: card.current,
        dragHandle: handle.current,
        getInitialData: () => ({ [STEP]: id }),
      }),
      dropTargetForElements({
        element: card.current,
        canDrop: ({ source }) => STEP in source.data && source.data[STEP] !== id,
        onDragEnter: () => setIsOver(true),
        onDragLeave: () => setIsOver(false),
        onDrop: ({ source }) => {
          setIsOver(false)
          stepMoved(Number(source.data[STEP]), index)
        },
      }),
    )
  }, [card, handle, id, index])
  return isOver
}
