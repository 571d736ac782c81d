import { ContextMenu } from '@base-ui/react/context-menu'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { useIsPhone } from '#gallery/ui/use-media.ts'
import {
  landmark,
  MenuBackdrop,
  MenuHeading,
  MenuSeparator,
  popupClasses,
  positionerClasses,
} from './menu.tsx'

/** A `contextmenu` event that opens a menu. */
export interface MenuOpening {
  event: MouseEvent
  /** The element at which the menu appears; `null`: at the pointer. */
  anchor: Element | null
  /** The element with the focus before the menu opened. */
  focused: Element | null
}

export interface ContextMenuPopupProps {
  /** The menu opens once for each new object. */
  opening: MenuOpening
  /** The menu's name for screen readers. */
  label: string
  /** The target of the commands, shown above them: `3 images`. */
  heading?: ReactNode
  /** Returns the element to focus if the one that had the focus has disappeared when the menu closes. */
  focusIfGone?: () => Element | null
  /** The menu items. Rendered only while the menu is open. */
  children: ReactNode
}

/** The popup of a context menu. A hidden area of the library gets copies of the events, so the library opens the popup. */
export function ContextMenuPopup({
  opening,
  label,
  heading,
  focusIfGone = () => null,
  children,
}: ContextMenuPopupProps) {
  const trigger = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { event, anchor, focused } = opening

  useLayoutEffect(() => {
    trigger.current?.dispatchEvent(new PointerEvent(event.type, event))
  }, [event])

  return (
    <ContextMenu.Root open={isOpen} onOpenChange={setOpen}>
      <ContextMenu.Trigger ref={trigger} hidden />
      <ContextMenu.Portal {...landmark}>
        <MenuBackdrop />
        <ContextMenu.Positioner className={positionerClasses} anchor={anchor ?? undefined}>
          <ContextMenu.Popup
            aria-label={label}
            className={popupClasses}
            finalFocus={() => {
              const element = focused?.isConnected === false ? focusIfGone() : focused
              if (!(element instanceof SVGElement))
                return element instanceof HTMLElement ? element : true
              // The library focuses no SVG elements. React hears no focus events while it removes the menu.
              queueMicrotask(() => element.focus())
              return false
            }}
          >
            <BackClosesMenu isOpen={isOpen} onClose={() => setOpen(false)} />
            {Boolean(heading) && (
              <>
                <MenuHeading>{heading}</MenuHeading>
                <MenuSeparator />
              </>
            )}
            {children}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

/** Inside the menu, so that its effect runs after the selection bar's: Back closes the part that opened last. */
function BackClosesMenu({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  useBackCloses(useIsPhone() && isOpen, onClose)
  return null
}
