import { Drawer } from '@base-ui/react/drawer'
import type { ReactNode } from 'react'
import { useBackCloses } from '#gallery/ui/keys/back.ts'

export interface SideDrawerProps {
  /** The accessible name. */
  label: string
  isOpen: boolean
  onClose: () => void
  /** False: toasts stay above it, because its controls show them. Default for the bottom: true. */
  coversToasts?: boolean
  children: ReactNode
}

const SCRIM =
  'fixed inset-0 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0'

const SIDES = {
  left: {
    swipe: 'left',
    viewport: 'fixed inset-0 flex items-stretch justify-start',
    popup:
      'h-full w-[min(20rem,calc(100vw-3rem))] bg-sunken shadow-floating outline-none transition-transform duration-200 ease-out [transform:translateX(var(--drawer-swipe-movement-x))] data-ending-style:[transform:translateX(-100%)] data-starting-style:[transform:translateX(-100%)]',
  },
  bottom: {
    swipe: 'down',
    viewport: 'fixed inset-0 flex items-end',
    popup:
      'flex h-[80dvh] w-full short:h-[96dvh] flex-col rounded-t-lg bg-surface shadow-floating outline-none transition-transform duration-200 ease-out [transform:translateY(var(--drawer-swipe-movement-y))] data-ending-style:[transform:translateY(100%)] data-starting-style:[transform:translateY(100%)]',
  },
} as const

/** A panel that slides in from a side of the page. Esc, Back, a swipe and a click outside close it. */
export function SideDrawer(props: SideDrawerProps & { side: keyof typeof SIDES }) {
  const { side, label, isOpen, onClose, coversToasts = side === 'bottom', children } = props
  useBackCloses(isOpen, onClose)
  const { swipe, viewport, popup } = SIDES[side]
  return (
    <Drawer.Root open={isOpen} onOpenChange={(open) => !open && onClose()} swipeDirection={swipe}>
      <Drawer.Portal>
        <Drawer.Backdrop className={`${SCRIM} ${coversToasts ? 'z-50' : 'z-30'}`} />
        <Drawer.Viewport className={`${viewport} ${coversToasts ? 'z-50' : 'z-40'}`}>
          <Drawer.Popup aria-label={label} className={popup}>
            {side === 'left' ? (
              <Drawer.Content className="h-full">{children}</Drawer.Content>
            ) : (
              children
            )}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
