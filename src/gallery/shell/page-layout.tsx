import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { Button } from '#gallery/ui/button.tsx'
import { focusMain } from '#gallery/ui/keys/focus.ts'
import { Drawer } from '#gallery/ui/popups/drawer.tsx'
import {
  closeSidebar,
  SIDEBAR_WIDTH,
  setSidebarWidth,
  useIsSidebarOpen,
  useSidebarWidth,
} from '#gallery/ui/sidebar-store.ts'
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
        <SidebarColumn>{sidebar}</SidebarColumn>
      )}
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
    </div>
  )
}

const KEY_STEP_PX = 16

/** The sidebar with a handle at its edge, which changes its width by mouse, finger or arrow keys. */
function SidebarColumn({ children }: { children: ReactNode }) {
  const widthPx = useSidebarWidth()
  const resize = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -KEY_STEP_PX, ArrowRight: KEY_STEP_PX }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setSidebarWidth(widthPx + step)
  }
  const follow = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) setSidebarWidth(event.clientX)
  }
  return (
    <aside
      aria-label="Sidebar"
      className="relative max-w-[40vw] shrink-0 border-line border-r bg-sunken"
      style={{ width: `${widthPx / 16}rem` }}
    >
      {children}
      {/* biome-ignore lint/a11y/useSemanticElements: an hr cannot be focused or dragged */}
      <div
        role="separator"
        aria-label="Width of the sidebar"
        aria-orientation="vertical"
        aria-valuemin={SIDEBAR_WIDTH.least}
        aria-valuenow={widthPx}
        aria-valuemax={SIDEBAR_WIDTH.most}
        tabIndex={0}
        title="Drag to resize. Double click resets the width."
        onKeyDown={resize}
        // Once the sidebar is wider, a draggable board can be where the pointer went down.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={follow}
        onDoubleClick={() => setSidebarWidth(SIDEBAR_WIDTH.initial)}
        className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent/30 focus-visible:bg-accent/40 focus-visible:outline-offset-0"
      />
    </aside>
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
