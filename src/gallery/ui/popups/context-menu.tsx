import { ContextMenu as BaseContextMenu } from '@base-ui/react/context-menu'
import {
  type MouseEvent,
  type ReactNode,
  type TouchEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
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

interface ContextMenuProps {
  /** The menu's name for screen readers. */
  label: string
  /** The target of the commands, shown above them: `3 images`. */
  heading?: ReactNode
  /** Determines the target. Returns the element at which a menu opened by key appears; `null`: the browser's menu. */
  onOpen: (event: MouseEvent, isByKey: boolean) => Element | null
  /** Opens the menu on a long press too. */
  opensByTouch?: boolean
  /** Returns the element to focus if the one that had the focus has disappeared when the menu closes. */
  focusIfGone?: () => Element | null
  /** The area on which the menu opens. */
  area: ReactNode
  /** The menu items. Rendered only while the menu is open. */
  children: ReactNode
}

/**
 * A menu that opens on an area by right click, long press, Shift+F10 or the menu key. Shift+right click opens the
 * browser's own menu. Closing the menu restores the focus.
 */
export function ContextMenu({
  label,
  heading,
  onOpen,
  opensByTouch = false,
  focusIfGone = () => null,
  area,
  children,
}: ContextMenuProps) {
  const focused = useRef<Element | null>(null)
  // Browsers report differently that a key caused a `contextmenu` event.
  const isLastInputKey = useRef(false)
  const [anchor, setAnchor] = useState<Element | null>(null)
  const [isOpen, setOpen] = useState(false)
  const longPress = useLongPress()

  const prepare = (event: BaseEvent<MouseEvent>) => {
    longPress.end()
    const { nativeEvent, button, shiftKey } = event
    const isByKey = isLastInputKey.current || button === NO_BUTTON
    const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
    const isForBrowser = shiftKey && !isByKey
    const element = isForBrowser || (isTouch && !opensByTouch) ? null : onOpen(event, isByKey)
    if (element === null) {
      event.preventBaseUIHandler()
      // The library prevents the browser's menu on the document.
      event.stopPropagation()
      return
    }
    focused.current = document.activeElement
    setAnchor(isByKey ? element : null)
  }

  return (
    <BaseContextMenu.Root open={isOpen} onOpenChange={setOpen}>
      <BaseContextMenu.Trigger
        className="contents"
        onContextMenu={prepare}
        onKeyDownCapture={() => {
          isLastInputKey.current = true
        }}
        onPointerDownCapture={() => {
          isLastInputKey.current = false
        }}
        onTouchStart={(event: BaseEvent<TouchEvent>) => {
          // The library's own long press does not ask for the target.
          event.preventBaseUIHandler()
          if (opensByTouch) longPress.start(event)
        }}
        onTouchMove={longPress.move}
        onTouchEnd={longPress.lift}
        onTouchCancel={longPress.end}
      >
        {area}
      </BaseContextMenu.Trigger>
      <BaseContextMenu.Portal {...landmark}>
        <MenuBackdrop />
        <BaseContextMenu.Positioner className={positionerClasses} anchor={anchor ?? undefined}>
          <BaseContextMenu.Popup
            aria-label={label}
            className={popupClasses}
            finalFocus={() => {
              const isGone = focused.current?.isConnected === false
              const element = isGone ? focusIfGone() : focused.current
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
          </BaseContextMenu.Popup>
        </BaseContextMenu.Positioner>
      </BaseContextMenu.Portal>
    </BaseContextMenu.Root>
  )
}

/** Duration of a long press that opens a menu, in milliseconds. */
const LONG_PRESS_MS = 500

/** Movement that turns a touch into scrolling, in pixels. */
const SLIP_PX = 10

/** Opens the context menu by a long press: Safari on iOS sends no `contextmenu` event. */
function useLongPress() {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> } | null>(null)
  const hasOpened = useRef(false)
  const end = () => {
    clearTimeout(press.current?.timer)
    press.current = null
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  return {
    start: ({ touches, target }: TouchEvent) => {
      end()
      const touch = touches[0]
      if (touches.length !== 1 || touch === undefined) return
      const { clientX: x, clientY: y } = touch
      hasOpened.current = false
      const timer = setTimeout(() => {
        openContextMenuAt(target, { x, y })
        hasOpened.current = true
      }, LONG_PRESS_MS)
      press.current = { x, y, timer }
    },
    move: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      if (!press.current || !touch) return
      const { x, y } = press.current
      if (Math.hypot(touch.clientX - x, touch.clientY - y) > SLIP_PX) end()
    },
    lift: (event: TouchEvent) => {
      // Otherwise the browser clicks the link or button below the finger.
      if (hasOpened.current && event.cancelable) event.preventDefault()
      hasOpened.current = false
      end()
    },
    end,
  }
}

/** Inside the menu, so that its effect runs after the selection bar's: Back closes the part that opened last. */
function BackClosesMenu({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  useBackCloses(useIsPhone() && isOpen, onClose)
  return null
}

const event = { bubbles: true, cancelable: true } as const

/** Opens the context menu of the area around an element, next to the element. */
export function openContextMenu(element: EventTarget | null): void {
  element?.dispatchEvent(new PointerEvent('contextmenu', { ...event, button: NO_BUTTON }))
}

/** Opens the context menu of the area around an element at a point of the window. */
export function openContextMenuAt(element: EventTarget, { x, y }: { x: number; y: number }): void {
  const point = { clientX: x, clientY: y }
  element.dispatchEvent(new PointerEvent('contextmenu', { ...event, ...point, button: 2 }))
}

/** Value of `PointerEvent.button` if no button changed. */
const NO_BUTTON = -1

/** An event whose default handling by the library can be prevented. */
type BaseEvent<T> = T & { preventBaseUIHandler: () => void }
