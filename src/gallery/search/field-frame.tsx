import { Search, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#gallery/ui/button.tsx'

export const fieldClasses =
  'h-9 w-full min-w-0 rounded border border-line bg-surface pr-9 pl-9 text-sm placeholder:text-muted pointer-coarse:h-11 [&::-webkit-search-cancel-button]:hidden'

interface FieldFrameProps {
  /** True if there is a text to clear. */
  canClear: boolean
  onClear: () => void
  children: ReactNode
}

/** The icon and the button of a search field. */
export const FieldFrame = ({ canClear, onClear, children }: FieldFrameProps) => (
  <div className="relative flex min-w-0 items-center">
    <Search aria-hidden size={16} className="pointer-events-none absolute left-3 z-10 text-muted" />
    {children}
    {canClear && (
      <IconButton label="Clear search" icon={X} className="absolute right-0.5" onClick={onClear} />
    )}
  </div>
)
