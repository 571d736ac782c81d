import { Ellipsis } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useGenerationsOf } from '#gallery/api/queue/generations.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { PlaceLink } from '#gallery/url/place-link.tsx'
import { usePlace } from '#gallery/url/use-place.ts'
import { useFoundCount } from './found-counts.tsx'
import type { RovingFocus } from './use-roving-focus.ts'

interface NavRowProps extends Pick<ComponentProps<typeof PlaceLink>, 'search' | 'page'> {
  board: string
  name: string
  /** The shown part of the name, without groups. Default: all of it. */
  label?: string
  /** Number of groups around it. */
  depth?: number
  /** Undefined while not known. */
  count?: number | undefined
  /** The number of found images. Undefined: that of the board. */
  found?: number | undefined
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
export const yielding =
  'pointer-fine:group-focus-within/row:opacity-0 pointer-fine:group-hover/row:opacity-0 pointer-fine:group-has-[[data-popup-open]]/row:opacity-0'

interface RowOptionsProps extends Omit<ComponentProps<typeof IconButton>, 'label' | 'icon'> {
  name: string
}

/** The "…" button that opens the menu of a row. With a mouse, it is shown in place of the count. */
export const RowOptions = ({ name, ...rest }: RowOptionsProps) => (
  <IconButton
    {...rest}
    label={`Options for ${name}`}
    icon={Ellipsis}
    tabIndex={-1}
    className="pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100 pointer-fine:data-popup-open:opacity-100"
  />
)

/** The classes of a row of the navigation. */
export const rowClasses = (isDropTarget: boolean): string =>
  `group/row relative flex items-center rounded pr-1 ${rowHeight} ${
    isDropTarget
      ? 'bg-accent-soft outline-2 outline-accent -outline-offset-2 outline-solid'
      : 'hover:bg-hover has-[[aria-current=page]]:bg-hover has-[[data-popup-open]]:bg-hover'
  }`

/** `data-compact` is on the navigation. */
export const rowHeight = 'h-10 group-data-compact/nav:h-8 pointer-coarse:h-11!'

/** A mouse swaps the count for the menu button. Other pointers cannot hover, so they get both side by side. */
export const rowControls =
  'flex shrink-0 items-center justify-items-end pointer-fine:grid pointer-fine:*:[grid-area:1/1]'

/** Deeper groups are not indented further, so that their names stay readable. */
const MAX_DEPTH = 5

export const indentOf = (depth: number) => ({
  paddingInlineStart: `${0.25 + Math.min(depth, MAX_DEPTH) * 0.75}rem`,
})

/** Characters at the end of a name that always stay visible: names often differ only there. */
const TAIL_LENGTH = 7

/** The name of a row. A name without enough room is cut in the middle. */
export function RowLabel({ text }: { text: string }) {
  const characters = [...text]
  const at = characters.length > 2 * TAIL_LENGTH ? characters.length - TAIL_LENGTH : 0
  const [head, tail] = [characters.slice(0, at).join(''), characters.slice(at).join('')]
  return (
    <span dir="auto" className="flex min-w-0 whitespace-pre">
      {/* Not `truncate`, which would drop a space at the end. */}
      {head !== '' && <span className="overflow-hidden text-ellipsis">{head}</span>}
      <span className={head === '' ? 'truncate' : 'shrink-0'}>{tail}</span>
    </span>
  )
}

/** A place in the navigation, with its icon, name and count. */
export function NavRow({
  board,
  name,
  label = name,
  depth = 0,
  count,
  found,
  icon,
  marks,
  isDropTarget = false,
  focus,
  onDoubleClick,
  children,
  search,
  page,
}: NavRowProps) {
  return (
    <div className={rowClasses(isDropTarget)}>
      <PlaceLink
        {...focus}
        board={board}
        {...(search && { search })}
        page={page}
        onOpen={closeSidebar}
        onDoubleClick={onDoubleClick}
        draggable={false}
        title={name}
        aria-label={name}
        style={indentOf(depth)}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded focus-visible:-outline-offset-2 aria-[current=page]:font-medium"
      >
        <span className="flex size-8 shrink-0 items-center justify-center text-muted">{icon}</span>
        <RowLabel text={label} />
        {marks}
      </PlaceLink>
      <div className={rowControls}>
        {count !== undefined && (
          <RowCount {...{ board, count, found }} className={children ? yielding : ''} />
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
  found: number | undefined
  className: string
}

/** The number of images in a place, or of those that a search finds there. A pulsing ring shows running generations for a place that is not open. */
function RowCount({ board, count, found: known, className }: RowCountProps) {
  const isOpen = usePlace().board === board
  const generations = useGenerationsOf(board)
  const runningCount = generations.filter(({ status }) => status !== 'failed').length
  const isPulsing = runningCount > 0 && !isOpen
  const foundOnBoard = useFoundCount(board)
  const found = known ?? foundOnBoard
  const foundTitle =
    found === null ? undefined : `${formatCount(found)} of ${formatCount(count)} found`
  return (
    <span
      title={isPulsing ? `${countOf(runningCount, 'image')} being made` : foundTitle}
      className={`relative mr-0.5 px-1.5 py-0.5 text-xs tabular-nums ${isPulsing ? 'font-medium text-accent' : 'pointer-events-none text-muted'} ${className}`}
    >
      {isPulsing && (
        <span
          aria-hidden
          className="absolute inset-0 animate-pulse rounded-full border-2 border-accent motion-reduce:animate-none"
        />
      )}
      {formatCount(found ?? count)}
    </span>
  )
}
