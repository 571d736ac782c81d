import { Ellipsis, X } from 'lucide-react'
import { useRef } from 'react'
import type { GridNow } from '#gallery/images/grid/grid-now.ts'
import type { ImageCommand } from '#gallery/images/image-commands.ts'
import { useGridCommands } from '#gallery/images/tiles/tile-menu.tsx'
import type { GridActions } from '#gallery/images/use-image-actions.ts'
import { CommandButton, IconButton } from '#gallery/ui/button.tsx'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { CommandItems, Menu } from '#gallery/ui/popups/menu.tsx'
import { formatBytes, formatCount } from '#gallery/ui/text/count.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { useIsPhone, useMedia } from '#gallery/ui/use-media.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { nounOfTargets } from './selected-images.ts'
import { countSelected } from './selection.ts'
import { clearSelection, useSelection } from './selection-store.ts'
import { useSelectedBytes } from './use-selected-bytes.ts'

export interface SelectionBarProps {
  now: GridNow
  actions: GridActions
}

// Widths in the bar, in pixels: its margin and padding, its text, and a button for mouse or touch.
const AROUND_PX = 38
const TEXT_PX = 88
const SHORT_TEXT_PX = 56
/** Below this width, in pixels, the text is only the number. */
const SHORT_BELOW_PX = 360
const MOUSE_PX = 36
const FINGER_PX = 44

/** The number and total size of the selected images, and the actions on them. */
export function SelectionBar({ now, actions }: SelectionBarProps) {
  const room = useRef<HTMLDivElement>(null)
  const selection = useSelection()
  const isTouch = useMedia('(pointer: coarse)')
  const count = countSelected(selection, now.total)
  const noun = nounOfTargets(now)
  const isPhone = useIsPhone()
  const isViewerOpen = usePlace().image !== null
  useBackCloses(isPhone && !isViewerOpen, clearSelection)
  const totalBytes = useSelectedBytes(now)
  const all = useGridCommands(now, actions)
  const widthPx = useElementSize(room)?.widthPx ?? 0
  const isShort = widthPx < SHORT_BELOW_PX
  const textPx = isShort ? SHORT_TEXT_PX : TEXT_PX
  const buttons = Math.floor((widthPx - AROUND_PX - textPx) / (isTouch ? FINGER_PX : MOUSE_PX))
  const { inBar, inMenu } = fitted(all, buttons)

  return (
    <div
      ref={room}
      className="pointer-events-none absolute right-(--corner,0px) bottom-0 left-0 flex justify-center p-2 sm:p-3"
    >
      <div
        role="toolbar"
        aria-label="Selection"
        className="pointer-events-auto flex max-w-full items-center rounded-lg border border-line bg-raised p-1 shadow-floating pointer-fine:gap-1"
      >
        <IconButton
          label="Clear selection"
          icon={X}
          commandId="clearSelection"
          onClick={clearSelection}
        />
        <p className="mr-2 ml-1 flex min-w-0 flex-col whitespace-nowrap text-sm leading-5 tabular-nums sm:flex-row sm:gap-2">
          <span className="truncate font-semibold">
            {formatCount(count)}{' '}
            <span className={isShort ? 'sr-only' : ''}>{count === 1 ? noun : `${noun}s`}</span>
          </span>
          {totalBytes !== null && (
            <span className="text-muted max-sm:text-xs max-sm:leading-4">
              {formatBytes(totalBytes)}
            </span>
          )}
        </p>
        {inBar.map((commands) => (
          <BarItem key={commands[0].id} commands={commands} />
        ))}
        {inMenu.length > 0 && (
          <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
            <MoreCommands now={now} actions={actions} inBar={inBar.flat()} />
          </Menu>
        )}
      </div>
    </div>
  )
}

interface MoreCommandsProps extends SelectionBarProps {
  inBar: readonly ImageCommand[]
}

/** The menu items of the commands that do not fit in the bar. */
function MoreCommands({ now, actions, inBar }: MoreCommandsProps) {
  const ids = new Set(inBar.map(({ id }) => id))
  const all = useGridCommands(now, actions, { isMenu: true })
  return <CommandItems commands={all.filter(({ id }) => !ids.has(id))} />
}

/** A command, or the commands of a submenu, which share a button. */
type BarCommands = readonly [ImageCommand, ...ImageCommand[]]

function BarItem({ commands }: { commands: BarCommands }) {
  const [first] = commands
  if (first.submenu === undefined) return <CommandButton command={first} />
  return (
    <Menu trigger={<IconButton {...first.submenu} />}>
      <CommandItems commands={commands.map((command) => ({ ...command, submenu: undefined }))} />
    </Menu>
  )
}

/** Divides the commands into those that fit in the bar, next to Clear and More, and those of the menu. */
function fitted(commands: readonly ImageCommand[], room: number) {
  const groups = Map.groupBy(commands, ({ submenu, id }) => submenu?.label ?? id)
  const all = [...groups.values()] as unknown as BarCommands[]
  const hasMenu = (shown: number) => all.length > shown
  const ranks = all.flatMap(([{ rank }]) => rank ?? []).sort((a, b) => a - b)
  const free = room - 1
  const shown = Math.max(0, hasMenu(Math.min(free, ranks.length)) ? free - 1 : free)
  const inRanks = new Set(ranks.slice(0, shown))
  const isInBar = ([{ rank }]: BarCommands) => rank !== undefined && inRanks.has(rank)
  return { inBar: all.filter(isInBar), inMenu: all.filter((one) => !isInBar(one)) }
}
