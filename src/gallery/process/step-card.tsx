import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { IconButton } from '#gallery/ui/button.tsx'
import { type ChainStep, changeStep, moveStep, removeStep } from './chain-store.ts'
import { StepFields } from './step-fields.tsx'
import { kindOf } from './step-kinds.ts'

interface StepCardProps {
  item: ChainStep
  index: number
  count: number
  /** Error of the step at its place in the chain. */
  fault: string | null
}

export function StepCard({ item: { id, step }, index, count, fault }: StepCardProps) {
  const card = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const isOver = useStepDrag({ card, handle, id, index })
  const { label, icon: Icon } = kindOf(step)
  return (
    <li
      ref={card}
      aria-label={`Step ${index + 1}: ${label}`}
      className={`rounded-lg border bg-surface p-3 ${isOver ? 'border-accent ring-1 ring-accent' : 'border-line'}`}
    >
      <div className="mb-2 flex items-center gap-1">
        <span
          ref={handle}
          aria-hidden
          title="Drag"
          className="-ml-1 cursor-grab text-muted pointer-coarse:hidden"
        >
          <GripVertical size={16} />
        </span>
        <Icon aria-hidden size={16} strokeWidth={1.75} />
        <h3 className="ml-1 min-w-0 flex-1 truncate font-semibold text-sm">{label}</h3>
        <IconButton
          label={`Move ${label} up`}
          icon={ArrowUp}
          aria-disabled={index === 0}
          className="aria-disabled:opacity-40"
          onClick={() => index > 0 && moveStep(id, index - 1)}
        />
        <IconButton
          label={`Move ${label} down`}
          icon={ArrowDown}
          aria-disabled={index === count - 1}
          className="aria-disabled:opacity-40"
          onClick={() => index < count - 1 && moveStep(id, index + 1)}
        />
        <IconButton label={`Remove ${label}`} icon={X} onClick={() => removeStep(id)} />
      </div>
      <StepFields step={step} onChange={(changed) => changeStep(id, changed)} />
      {fault !== null && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {fault}
        </p>
      )}
    </li>
  )
}

const STEP = 'dragged step ID'

interface StepDrag {
  card: RefObject<HTMLElement | null>
  handle: RefObject<HTMLElement | null>
  id: number
  index: number
}

/** Makes a step draggable by its handle to the place of another. Returns true while another step is over it. */
function useStepDrag({ card, handle, id, index }: StepDrag): boolean {
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
          moveStep(Number(source.data[STEP]), index)
        },
      }),
    )
  }, [card, handle, id, index])
  return isOver
}
