import type { ReactNode } from 'react'
import { Button } from '#gallery/ui/button.tsx'
import { Drawer } from '#gallery/ui/dialog.tsx'
import { focusMain } from '#gallery/ui/keys/focus.ts'
import { closeSidebar, useIsSidebarOpen } from '#gallery/ui/sidebar-store.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'

/** The sidebar and the main column. In the compact layout the sidebar is a drawer. */
export function PageLayout({ sidebar, children }: { sidebar: ReactNode; children: ReactNode }) {
  const isCompact = useIsCompact()
  const isOpen = useIsSidebarOpen()
  return (
    <div className="flex h-full overflow-hidden">
      <SkipLink />
      {isCompact ? (
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

/** The first tab stop of the page. It skips the sidebar and the header, and is visible only while it has the focus. */
function SkipLink() {
  return (
    <Button
      tone="primary"
      onClick={focusMain}
      className="fixed top-2 left-2 z-50 not-focus-visible:sr-only"
    >
      Skip to images
    </Button>
  )
}
