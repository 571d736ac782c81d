import { Ellipsis, Star, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useTrashFacts } from '#gallery/api/trash/trash-origin.ts'
import { CommandButton, IconButton } from '#gallery/ui/button.tsx'
import { type Command, hasIcon } from '#gallery/ui/commands/command.ts'
import { Menu } from '#gallery/ui/popups/menu.tsx'
import { useIsDetailsOpen } from '#gallery/ui/preferences.ts'
import { fileNameOf, imageLabelOf } from '#gallery/ui/text/names.ts'
import { trashWordsOf } from '#gallery/ui/text/trash-words.ts'
import { useMedia } from '#gallery/ui/use-media.ts'

interface LightboxToolbarProps {
  /** `null` while it is not loaded: only Close is shown then. */
  image: ImageRecord | null
  /** The position as text: `12 of 50,000`. */
  positionText: string
  commands: readonly Command[]
  /** True in full screen: the bar is over the image and fades. */
  isFloating: boolean
  /** Returns the menu items, except those with these IDs. */
  menuItems: (except: readonly string[]) => ReactNode
  onClose: () => void
}

/** The position and name of the image, and the actions on it. */
export function LightboxToolbar(props: LightboxToolbarProps) {
  const { image, positionText, commands, isFloating, menuItems, onClose } = props
  const factsOf = useTrashFacts()
  const facts = image && factsOf(image)
  const words = facts && trashWordsOf(facts)
  return (
    <header
      data-theme="dark"
      className={`flex min-h-12 shrink-0 items-center gap-1 border-line border-b bg-surface py-1 pr-2 pl-3 text-ink sm:pl-4 ${isFloating ? 'fade-when-idle absolute inset-x-0 top-0 z-10' : ''}`}
    >
      <p
        className="flex min-w-0 flex-1 gap-x-3 max-sm:flex-col sm:items-baseline"
        aria-live="polite"
      >
        <span className="min-w-0 truncate text-sm tabular-nums">{positionText}</span>
        {image && (
          <>
            <span className="sr-only">{imageLabelOf(image)}</span>
            <span
              aria-hidden
              dir="auto"
              className="hidden min-w-0 truncate text-muted text-sm md:block"
            >
              {fileNameOf(image)}
            </span>
            {words && (
              <span className="flex min-w-0 whitespace-pre text-muted text-xs sm:text-sm">
                <bdi className="truncate max-sm:sr-only">{words.origin}</bdi>
                <span className="max-sm:sr-only">{' · '}</span>
                <span className="truncate sm:shrink-0">{words.timeLeft}</span>
              </span>
            )}
          </>
        )}
      </p>
      {image && <ImageActions image={image} commands={commands} menuItems={menuItems} />}
      <IconButton label="Close" icon={X} onClick={onClose} />
    </header>
  )
}

/** Below this width only the most used actions are in the bar; the others are in the menu. */
const FOLDED = '(width < 34rem)'

const FOLDED_BAR = ['toggleStar', 'trash', 'restore', 'deleteForGood', 'showDetails']
const WIDE_BAR = [
  'toggleStar',
  'tag',
  'move',
  'download',
  'trash',
  'restore',
  'restoreTo',
  'deleteForGood',
  'showDetails',
  'viewer.fullScreen',
]

type ImageActionsProps = Pick<LightboxToolbarProps, 'commands' | 'menuItems'> & {
  image: ImageRecord
}

function ImageActions({ image, commands, menuItems }: ImageActionsProps) {
  const isDetailsOpen = useIsDetailsOpen()
  const ids = useMedia(FOLDED) ? FOLDED_BAR : WIDE_BAR
  const inBar = ids
    .flatMap((id) => commands.find((command) => command.id === id) ?? [])
    .filter(hasIcon)
  const isStarred = (command: Command) => command.id === 'toggleStar' && image.starred
  return (
    <>
      {inBar.map((command) => (
        <CommandButton
          key={command.id}
          command={isStarred(command) ? { ...command, icon: Star } : command}
          {...(isStarred(command) && starredLook)}
          {...(command.keys?.length === 0 && { commandId: '' })}
          {...(command.id === 'showDetails' && {
            'aria-pressed': isDetailsOpen,
            className: isDetailsOpen ? 'bg-hover text-ink' : '',
          })}
        />
      ))}
      <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
        {menuItems(ids)}
      </Menu>
    </>
  )
}

const starredLook = { filled: true, className: 'text-star hover:text-star' }
