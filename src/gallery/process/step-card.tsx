import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { type ChainStep, stepChanged, stepMoved, stepRemoved } from './chain-store.ts'
import { StepFields } from './step-fields.tsx'
import { kindOf } from './step-kinds.ts'
import { useStepDrag } from './use-step-drag.ts'

interface StepCardProps {
  item: ChainStep
  index: number
  count: number
  /** What is wrong with it where it stands. */
  fault: string | null
}

/** One step: what it is told, where it stands among the others, and the way out. */
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
          onClick={() => index > 0 && stepMoved(id, index - 1)}
        />
        <IconButton
          label={`Move ${label} down`}
          icon={ArrowDown}
          aria-disabled={index === count - 1}
          className="aria-disabled:opacity-40"
          onClick={() => index < count - 1 && stepMoved(id, index + 1)}
        />
        <IconButton label={`Remove ${label}`} icon={X} onClick={() => stepRemoved(id)} />
      </div>
      <StepFields step={step} onChange={(changed) => stepChanged(id, changed)} />
      {fault !== null && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {fault}
        </p>
      )}
    </li>
  )
}
