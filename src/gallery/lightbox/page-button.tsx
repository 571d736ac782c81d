import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useKeyOf } from '#gallery/ui/commands/registry.ts'
import { ariaKeys } from '#gallery/ui/keys/key-names.ts'
import { WithTooltip } from '#gallery/ui/popups/tooltip.tsx'
import { viewerKeys } from './viewer-keys.ts'

interface PageButtonProps {
  direction: 'previous' | 'next'
  /** null: there is no image on that side. */
  position: number | null
  onShow: (position: number) => void
}

/** A button for the previous or the next image. */
export function PageButton({ direction, position, onShow }: PageButtonProps) {
  const isNext = direction === 'next'
  const Icon = isNext ? ChevronRight : ChevronLeft
  const { id, label } = viewerKeys[direction]
  const keys = useKeyOf(id)
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      disabled={position === null}
      onClick={() => position !== null && onShow(position)}
      className={`fade-when-idle absolute top-1/2 flex size-11 -translate-y-1/2 items-center justify-center rounded-full border border-line bg-raised/80 text-ink shadow-raised transition-opacity hover:bg-raised disabled:opacity-0 ${isNext ? 'right-3' : 'left-3'}`}
    >
      <Icon aria-hidden size={22} strokeWidth={1.75} />
    </button>
  )
  return (
    <WithTooltip label={label} keys={keys}>
      {button}
    </WithTooltip>
  )
}
