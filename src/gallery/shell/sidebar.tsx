import {
  BookOpen,
  CircleUser,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  SquareTerminal,
  Sun,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useAccount } from '#gallery/api/connection/account.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useCanUndo } from '#gallery/api/journal/journal.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { Menu, MenuChoice, MenuHeading, MenuItem } from '#gallery/ui/popups/menu.tsx'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { chooseTheme, THEMES, useTheme } from '#gallery/ui/theme.ts'
import { guideCommand } from './guide.ts'
import { SidebarTop } from './sidebar-top.tsx'

interface SidebarProps {
  children: ReactNode
  /** The state of pending changes. */
  status?: ReactNode
  /** Opens the queue. */
  queueButton?: ReactNode
  /** Opens the history. */
  historyButton?: ReactNode
  onShowKeys: () => void
  onShowPalette: () => void
}

/** The brand, the boards, and below them the status and the menus. On a short screen the sidebar scrolls as a whole. */
export function Sidebar({ children, status, queueButton, historyButton, ...open }: SidebarProps) {
  const { journal } = useGallery()
  const canUndo = useCanUndo()
  return (
    <div
      data-scroller
      className="flex h-full flex-col short:scroll-pb-16 short:overflow-y-auto short:overscroll-contain"
    >
      <SidebarTop>
        <IconButton
          label="Command palette"
          icon={SquareTerminal}
          commandId="palette"
          className="ml-auto pointer-coarse:hidden"
          onClick={open.onShowPalette}
        />
      </SidebarTop>
      <div className="flex flex-1 flex-col not-short:min-h-0 short:shrink-0">{children}</div>
      {status}
      <footer className="@container/footer sticky bottom-0 flex min-h-12 shrink-0 items-center justify-end border-line border-t bg-sunken px-2 py-1">
        {queueButton}
        <IconButton
          label="Undo last change"
          icon={Undo2}
          commandId="undo"
          disabled={!canUndo}
          onClick={() => {
            closeSidebar()
            journal.undoLast()
          }}
        />
        {historyButton}
        <IconButton
          label="Keyboard shortcuts"
          icon={Keyboard}
          commandId="keys"
          className="pointer-coarse:hidden"
          onClick={open.onShowKeys}
        />
        <IconButton
          label="Guide"
          icon={BookOpen}
          commandId={guideCommand.id}
          className="not-pointer-coarse:hidden"
          onClick={() => guideCommand.run()}
        />
        <AccountMenu />
        <ThemeMenu />
      </footer>
    </div>
  )
}

/** The signed-in account with Sign out. Renders nothing on servers without accounts. */
function AccountMenu() {
  const { account } = useGallery()
  const user = useAccount()
  if (user === null) return null
  return (
    <Menu align="end" trigger={<IconButton label="Account" icon={CircleUser} />}>
      <MenuHeading>{user.display_name ?? user.email}</MenuHeading>
      <MenuItem icon={LogOut} onSelect={() => void account.signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

const icons = { system: Monitor, light: Sun, dark: Moon }

function ThemeMenu() {
  const theme = useTheme()
  return (
    <Menu align="end" trigger={<IconButton label="Theme" icon={icons[theme]} />}>
      <MenuChoice label="Theme" value={theme} options={THEMES} onChoose={chooseTheme} />
    </Menu>
  )
}
