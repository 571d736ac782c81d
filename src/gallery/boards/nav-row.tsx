import type { ReactNode } from 'react'
import { useGenerationsOf } from '#gallery/api/queue/generations.ts'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { PlaceLink } from '#gallery/url/place-link.tsx'
import { usePlace } from '#gallery/url/use-place.ts'
import type { RovingFocus } from './use-roving-focus.ts'

interface NavRowProps {
  board: string
  name: string
  /** Undefined while not known. */
  count?: number | undefined
  icon: ReactNode
  /** Icons after the name. */
  marks?: ReactNode
  isDropTarget?: boolean
  focus: ReturnType<RovingFocus['propsOf']>
  onDoubleClick?: () => void
  /** Controls at the end of the row. */
  children?: ReactNode
}

/** With a mouse, the count is hidden while the row's controls are shown. */
const yielding =
  'pointer-fine:group-focus-within/row:opacity-0 pointer-fine:group-hover/row:opacity-0 pointer-fine:group-has-[[data-popup-open]]/row:opacity-0'

/** A place in the navigation, with its icon, name and count. */
export function NavRow({
  board,
  name,
  count,
  icon,
  marks,
  isDropTarget = false,
  focus,
  onDoubleClick,
  children,
}: NavRowProps) {
  const look = isDropTarget
    ? 'bg-accent-soft outline-2 outline-accent -outline-offset-2 outline-solid'
    : 'hover:bg-hover has-[[aria-current=page]]:bg-hover has-[[data-popup-open]]:bg-hover'
  return (
    <div
      className={`group/row relative flex h-10 items-center rounded pr-1 pointer-coarse:h-11 ${look}`}
    >
      <PlaceLink
        {...focus}
        board={board}
        onOpen={closeSidebar}
        onDoubleClick={onDoubleClick}
        draggable={false}
        title={name}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded pl-1 focus-visible:-outline-offset-2 aria-[current=page]:font-medium"
      >
        <span className="flex size-8 shrink-0 items-center justify-center text-muted">{icon}</span>
        <span dir="auto" className="truncate">
          {name}
        </span>
        {marks}
      </PlaceLink>
      {/* A mouse swaps the count for the menu button. Other pointers cannot hover, so they get both side by side. */}
      <div className="flex shrink-0 items-center justify-items-end pointer-fine:grid pointer-fine:*:[grid-area:1/1]">
        {count !== undefined && (
          <RowCount board={board} count={count} className={children ? yielding : ''} />
        )}
        {children}
      </div>
    </div>
  )
}

interface RowCountProps {
  /** The board, or another place, whose images are counted. */
  board: string
  count: number
  className: string
}

/** The number of images in a place. A pulsing ring shows running generations for a place that is not open. */
function RowCount({ board, count, className }: RowCountProps) {
  const isOpen = usePlace().board === board
  const generations = useGenerationsOf(board)
  const runningCount = generations.filter(({ status }) => status !== 'failed').length
  const isPulsing = runningCount > 0 && !isOpen
  return (
    <span
      title={isPulsing ? `${countOf(runningCount, 'image')} being made` : undefined}
      className={`relative mr-0.5 px-1.5 py-0.5 text-xs tabular-nums ${isPulsing ? 'font-medium text-accent' : 'pointer-events-none text-muted'} ${className}`}
    >
      {isPulsing && (
        <span
          aria-hidden
          className="absolute inset-0 animate-pulse rounded-full border-2 border-accent motion-reduce:animate-none"
        />
      )}
      {formatCount(count)}
    </span>
  )
}
