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

/** Temporary messages of the page. They overlay the images, so that the layout does not shift. */
export function PageNotes({ children }: { children: ReactNode }) {
  return (
    <div className="relative z-30 h-0">
      <div className="pointer-events-none absolute inset-x-0 top-3 flex flex-col items-center gap-2 px-4 *:pointer-events-auto *:max-w-full">
        {children}
      </div>
    </div>
  )
}
