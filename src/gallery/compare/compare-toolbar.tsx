import { Ellipsis, Star, X } from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { closeComparison } from '#gallery/api/images/compare-request.ts'
import { CommandButton, IconButton } from '#gallery/ui/button.tsx'
import { type Command, hasIcon } from '#gallery/ui/commands/command.ts'
import { CommandItems, Menu } from '#gallery/ui/popups/menu.tsx'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { compareKeys } from './compare-keys.ts'

interface CompareToolbarProps {
  title: string
  focused: ImageRecord | undefined
  commands: readonly Command[]
  /** The last parts of the IDs of commands that are on. */
  pressed: readonly (string | false)[]
}

const FOLDED_BAR = ['toggleStar', 'trash', compareKeys.keep.id, compareKeys.differences.id]
const MODES = [compareKeys.side, compareKeys.slider, compareKeys.blink, compareKeys.difference]
const SWITCHES = [...MODES, compareKeys.link, compareKeys.differences].map(({ id }): string => id)
const WIDE_BAR = [
  ...MODES.map(({ id }) => id),
  compareKeys.link.id,
  compareKeys.differences.id,
  'toggleStar',
  'move',
  'trash',
  compareKeys.keep.id,
  compareKeys.back.id,
  compareKeys.win.id,
]

/** The actions on the focused image, and the ways to compare. */
export function CompareToolbar({ title, focused, commands, pressed }: CompareToolbarProps) {
  const isCompact = useIsCompact()
  const ids: readonly string[] = isCompact ? FOLDED_BAR : WIDE_BAR
  const inBar = ids
    .flatMap((id) => commands.find((command) => command.id === id) ?? [])
    .filter(({ disabledReason }) => disabledReason === undefined)
  const inMenu = commands.filter((command) => !inBar.includes(command))
  return (
    <header
      data-theme="dark"
      className="flex min-h-12 shrink-0 items-center gap-1 border-line border-b bg-surface py-1 pr-2 pl-3 text-ink sm:pl-4"
    >
      <div className="min-w-0 flex-1">
        {/* In a narrow window, only one letter would fit. */}
        <h2 className="truncate text-sm tabular-nums max-[22.5rem]:sr-only">{title}</h2>
      </div>
      {focused && (
        <>
          {inBar.filter(hasIcon).map((command) => {
            const isSwitch = SWITCHES.includes(command.id)
            const isOn = pressed.some((id) => command.id === `compare.${id}`)
            const isStarred = command.id === 'toggleStar' && focused.starred
            return (
              <CommandButton
                key={command.id}
                command={isStarred ? { ...command, icon: Star } : command}
                {...(isSwitch && {
                  'aria-pressed': isOn,
                  className: isOn ? 'bg-hover text-ink' : '',
                })}
                {...(isStarred && { filled: true, className: 'text-star hover:text-star' })}
              />
            )
          })}
          <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
            <CommandItems commands={inMenu} />
          </Menu>
        </>
      )}
      <IconButton label="Close" icon={X} onClick={closeComparison} />
    </header>
  )
}
