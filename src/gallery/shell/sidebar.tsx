import { Keyboard } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { closeSidebar } from './sidebar-store.ts'
import { ThemeMenu } from './theme-menu.tsx'

interface SidebarProps {
  children: ReactNode
  /** What the page is doing, at the foot. */
  status?: ReactNode
  /** Opens what runs and waits. */
  queueButton?: ReactNode
  onShowKeys: () => void
}

/** Brand at the top, boards between, state and theme at the foot. */
export function Sidebar({ children, status, queueButton, onShowKeys }: SidebarProps) {
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-16 shrink-0 items-center px-4">
        <Brand onOpen={closeSidebar} />
      </header>
      <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      {status}
      <footer className="flex min-h-12 shrink-0 items-center justify-end border-line border-t px-2 py-1">
        {queueButton}
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
