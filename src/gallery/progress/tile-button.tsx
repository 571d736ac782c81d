import type { LucideIcon } from 'lucide-react'

interface TileButtonProps {
  label: string
  icon: LucideIcon
  hasWords?: boolean
  onPress: () => void
  className?: string
}

/** A button on a tile: 36 px, 44 px under a finger. The tile has a key for the same, so Tab passes it by. */
export function TileButton(props: TileButtonProps) {
  const { label, icon: Icon, hasWords = false, onPress, className = '' } = props
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      tabIndex={-1}
      onClick={onPress}
      className={`pointer-events-auto flex h-9 min-w-9 shrink-0 items-center justify-center rounded pointer-coarse:h-11 pointer-coarse:min-w-11 ${className}`}
    >
      {hasWords ? (
        <span className="flex items-center gap-1 rounded px-2 font-semibold text-sm hover:underline">
          <Icon aria-hidden size={14} />
          {label}
        </span>
      ) : (
        <span className="flex size-6 items-center justify-center rounded-full bg-black/45 text-white">
          <Icon aria-hidden size={14} />
        </span>
      )}
    </button>
  )
}
