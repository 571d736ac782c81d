import { Drawer as BaseDrawer } from '@base-ui/react/drawer'
import type { ReactNode } from 'react'
import { useBackCloses } from '#gallery/ui/keys/back.ts'

interface DrawerProps {
  /** What it holds, for people who cannot see it. */
  label: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** A panel that slides in from the left, on screens too narrow for two columns. */
export function Drawer({ label, isOpen, onClose, children }: DrawerProps) {
  useBackCloses(isOpen, onClose)
  return (
    <BaseDrawer.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      swipeDirection="left"
    >
      <BaseDrawer.Portal>
        <BaseDrawer.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDrawer.Viewport className="fixed inset-0 z-40 flex items-stretch justify-start">
          <BaseDrawer.Popup
            aria-label={label}
            className="h-full w-[min(20rem,calc(100vw-3rem))] bg-sunken shadow-floating outline-none transition-transform duration-200 ease-out [transform:translateX(var(--drawer-swipe-movement-x))] data-ending-style:[transform:translateX(-100%)] data-starting-style:[transform:translateX(-100%)]"
          >
            <BaseDrawer.Content className="h-full">{children}</BaseDrawer.Content>
          </BaseDrawer.Popup>
        </BaseDrawer.Viewport>
      </BaseDrawer.Portal>
    </BaseDrawer.Root>
  )
}
