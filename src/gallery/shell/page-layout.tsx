import type { ReactNode } from 'react'
import { Drawer } from '#gallery/ui/drawer.tsx'
import { useIsNarrow } from '#gallery/ui/use-media.ts'
import { closeSidebar, useIsSidebarOpen } from './sidebar-store.ts'

interface PageLayoutProps {
  sidebar: ReactNode
  children: ReactNode
}

/** Sidebar and main column; on a narrow screen the sidebar is a drawer over it. */
export function PageLayout({ sidebar, children }: PageLayoutProps) {
  const isNarrow = useIsNarrow()
  const isOpen = useIsSidebarOpen()
  return (
    <div className="flex h-full overflow-hidden">
      {isNarrow ? (
        <Drawer label="Sidebar" isOpen={isOpen} onClose={closeSidebar}>
          {sidebar}
        </Drawer>
      ) : (
        <div className="w-64 shrink-0 border-line border-r bg-sunken">{sidebar}</div>
      )}
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
    </div>
  )
}
