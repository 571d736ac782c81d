import { Drawer } from '@base-ui/react/drawer'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { useBackCloses } from '#gallery/ui/back.ts'
import { focusFallback } from '#gallery/ui/focus.ts'
import { useKeys } from '#gallery/ui/keys.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { queueClosed, queueToggled, useIsQueueOpen } from './queue-store.ts'
import { useFailureToasts } from './use-failure-toasts.ts'

const QueuePanel = lazy(async () => ({ default: (await import('./queue-panel.tsx')).QueuePanel }))

/** The page, and the open queue next to it, or as a sheet in the compact layout. */
export function QueueDock({ children }: { children: ReactNode }) {
  const isOpen = useIsQueueOpen()
  const isCompact = useIsCompact()
  const aside = useRef<HTMLElement>(null)
  useFailureToasts()
  useKeys('Anywhere', [{ keys: 'q', label: 'Show or hide the queue', run: queueToggled }])
  useKeys('Queue', [{ keys: 'Escape', label: 'Hide the queue', run: queueClosed }], {
    when: () => aside.current?.contains(document.activeElement) ?? false,
  })
  return (
    <div className="flex min-h-0 flex-1">
      <div className="relative flex min-w-0 flex-1 flex-col">{children}</div>
      {isCompact && <QueueSheet isOpen={isOpen} />}
      {isOpen && !isCompact && (
        <aside
          ref={aside}
          {...focusFallback}
          aria-label="Queue"
          className="flex w-80 shrink-0 flex-col border-line border-l bg-surface"
        >
          <Suspense>
            <QueuePanel />
          </Suspense>
        </aside>
      )}
    </div>
  )
}

function QueueSheet({ isOpen }: { isOpen: boolean }) {
  useBackCloses(isOpen, queueClosed)
  return (
    <Drawer.Root
      open={isOpen}
      onOpenChange={(open) => !open && queueClosed()}
      swipeDirection="down"
    >
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Drawer.Viewport className="fixed inset-0 z-40 flex items-end">
          <Drawer.Popup
            aria-label="Queue"
            className="flex h-[80dvh] w-full short:h-[96dvh] flex-col rounded-t-lg bg-surface shadow-floating outline-none transition-transform duration-200 ease-out [transform:translateY(var(--drawer-swipe-movement-y))] data-ending-style:[transform:translateY(100%)] data-starting-style:[transform:translateY(100%)]"
          >
            <Suspense>
              <QueuePanel />
            </Suspense>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
