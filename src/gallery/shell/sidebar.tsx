import { Keyboard, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { undoLast, useCanUndo } from '#gallery/api/undo.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { closeSidebar } from './sidebar-store.ts'
import { ThemeMenu } from './theme-menu.tsx'

interface SidebarProps {
  children: ReactNode
  /** The state of pending changes. */
  status?: ReactNode
  /** Opens the queue. */
  queueButton?: ReactNode
  onShowKeys: () => void
}

/** The brand, the boards, and below them the status and the menus. On a short screen it scrolls as a whole. */
export function Sidebar({ children, status, queueButton, onShowKeys }: SidebarProps) {
  const canUndo = useCanUndo()
  return (
    <div
      data-scroller
      className="flex h-full flex-col short:scroll-pb-16 short:overflow-y-auto short:overscroll-contain"
    >
      <header className="flex h-16 shrink-0 short:h-12 items-center px-4">
        <Brand onOpen={closeSidebar} />
      </header>
      <div className="flex flex-1 flex-col not-short:min-h-0 short:shrink-0">{children}</div>
      {status}
      <footer className="sticky bottom-0 flex min-h-12 shrink-0 items-center justify-end border-line border-t bg-sunken px-2 py-1">
        {queueButton}
        <IconButton
          label="Undo last change"
          icon={Undo2}
          disabled={!canUndo}
          onClick={() => {
            closeSidebar()
            undoLast()
          }}
        />
        <IconButton
          label="Keyboard"
          icon={Keyboard}
          className="pointer-coarse:hidden"
          onClick={onShowKeys}
        />
        <AccountMenu />
        <ThemeMenu />
      </footer>
    </div>
  )
}
