import {
  Copy,
  Download,
  Ellipsis,
  FolderInput,
  type LucideIcon,
  SquareCheckBig,
  SquareDashedMousePointer,
  Star,
  StarOff,
  Trash2,
  Wand,
  X,
} from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useHasQueue } from '#gallery/api/process-queue.ts'
import { formatBytes, formatCount } from '#gallery/ui/count.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuItem } from '#gallery/ui/menu.tsx'
import { useMedia } from '#gallery/ui/use-media.ts'
import { canDownload } from './download-images.ts'
import type { GridNow } from './grid-now.ts'
import { targetRecords } from './selected-images.ts'
import { countSelected, isNothing } from './selection.ts'
import {
  everythingChosen,
  selectionCleared,
  selectionInverted,
  useSelection,
} from './selection-store.ts'
import type { ImageActions } from './use-image-actions.ts'

interface SelectionBarProps {
  now: GridNow
  grid: RefObject<HTMLElement | null>
  actions: ImageActions
  /** Width of the grid, in pixels. */
  widthPx: number
}

/** An action of the bar. Those that do not fit are in the menu "More". */
interface BarAction {
  label: string
  icon: LucideIcon
  run: () => void
  /** The order in which actions get room in the bar; absent: always in the menu. */
  rank?: number
}

// Sizes of the bar, in pixels: its margin and padding, its text, and a button for mouse or finger.
const AROUND_PX = 38
const TEXT_PX = 88
const SHORT_TEXT_PX = 56
/** Below this width of the grid the text is the number alone, in pixels. */
const SHORT_BELOW_PX = 360
const MOUSE_PX = 36
const FINGER_PX = 44

/** The number and size of the selected images, and the actions on them. */
export function SelectionBar(props: SelectionBarProps) {
  return isNothing(useSelection()) ? null : <Bar {...props} />
}

function Bar({ now, grid, actions, widthPx }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const selection = useSelection()
  const isTouch = useMedia('(pointer: coarse)')
  const count = countSelected(selection, now.total)
  const records = targetRecords(now)
  const areAllStarred = records.length > 0 && records.every(({ starred }) => starred)
  const totalBytes = sizeOf(records, count)
  const all = useBarActions({ actions, count, areAllStarred, isAll: count === now.total })
  const isShort = widthPx < SHORT_BELOW_PX
  const textPx = isShort ? SHORT_TEXT_PX : TEXT_PX
  const room = Math.floor((widthPx - AROUND_PX - textPx) / (isTouch ? FINGER_PX : MOUSE_PX))
  const { inBar, inMenu } = fitted(all, room)
  useReturnedFocus(bar, grid)

  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-(--foot,0px) flex justify-center p-2 sm:p-3">
      <div
        ref={bar}
        role="toolbar"
        aria-label="Selection"
        className="pointer-events-auto flex max-w-full items-center rounded-lg border border-line bg-raised p-1 shadow-floating pointer-fine:gap-1"
      >
        <IconButton label="Clear selection" icon={X} onClick={selectionCleared} />
        <p className="mr-2 ml-1 flex min-w-0 flex-col whitespace-nowrap text-sm leading-5 tabular-nums sm:flex-row sm:gap-2">
          <span className="truncate font-semibold">
            {formatCount(count)}{' '}
            <span className={isShort ? 'sr-only' : ''}>{count === 1 ? 'image' : 'images'}</span>
          </span>
          {totalBytes !== null && (
            <span className="text-muted max-sm:text-xs max-sm:leading-4">
              {formatBytes(totalBytes)}
            </span>
          )}
        </p>
        {inBar.map(({ label, icon, run }) => (
          <IconButton key={label} label={label} icon={icon} onClick={run} />
        ))}
        {inMenu.length > 0 && (
          <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
            {inMenu.map(({ label, icon, run }) => (
              <MenuItem key={label} icon={icon} onSelect={run}>
                {label}
              </MenuItem>
            ))}
          </Menu>
        )}
      </div>
    </div>
  )
}

interface BarActionsOptions {
  actions: ImageActions
  count: number
  areAllStarred: boolean
  /** True if all images of the view are selected. */
  isAll: boolean
}

/** The actions that apply now, in the order of the bar. */
function useBarActions({ actions, count, areAllStarred, isAll }: BarActionsOptions): BarAction[] {
  const hasQueue = useHasQueue()
  const star = areAllStarred ? { label: 'Unstar', icon: StarOff } : { label: 'Star', icon: Star }
  const download = { label: 'Download', icon: Download, run: actions.download, rank: 5 }
  const all = { label: 'Select all', icon: SquareCheckBig, run: everythingChosen, rank: 3 }
  return [
    ...(isAll ? [] : [all]),
    {
      label: 'Invert selection',
      icon: SquareDashedMousePointer,
      run: selectionInverted,
      rank: 6,
    },
    { ...star, run: actions.toggleStar, rank: 4 },
    { label: 'Move to board', icon: FolderInput, run: actions.move, rank: 2 },
    ...(canDownload(count) ? [download] : []),
    { label: 'Delete', icon: Trash2, run: actions.trash, rank: 1 },
    ...(hasQueue
      ? [
          { label: 'Copy to board…', icon: Copy, run: actions.copy },
          { label: 'Process…', icon: Wand, run: actions.process },
        ]
      : []),
  ]
}

/** Divides actions into those that fit in the bar, besides Clear and More, and those of the menu. */
function fitted(all: readonly BarAction[], room: number) {
  const hasMenu = (shown: number) => all.length > shown
  const ranks = all.flatMap(({ rank }) => rank ?? []).sort((a, b) => a - b)
  const free = room - 1
  const shown = Math.max(0, hasMenu(Math.min(free, ranks.length)) ? free - 1 : free)
  const inRanks = new Set(ranks.slice(0, shown))
  const isInBar = ({ rank }: BarAction) => rank !== undefined && inRanks.has(rank)
  return { inBar: all.filter(isInBar), inMenu: all.filter((action) => !isInBar(action)) }
}

/** Gives the focus to the grid if the bar goes while it has it. */
function useReturnedFocus(
  bar: RefObject<HTMLElement | null>,
  grid: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const node = bar.current
    const target = grid.current
    return () => {
      if (node?.contains(document.activeElement)) target?.focus({ preventScroll: true })
    }
  }, [bar, grid])
}

/** `null` if some records are not loaded, or if the server does not know sizes. */
function sizeOf(records: ReturnType<typeof targetRecords>, count: number): number | null {
  if (records.length !== count) return null
  let bytes = 0
  for (const { file_size } of records) {
    if (file_size === null) return null
    bytes += file_size
  }
  return bytes
}
