import {
  type MouseEvent,
  type ReactNode,
  Suspense,
  type TouchEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useTransition,
} from 'react'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import type { ContextMenuPopupProps, MenuOpening } from './context-menu-popup.tsx'

interface ContextMenuProps extends Omit<ContextMenuPopupProps, 'opening'> {
  /** Determines the target. Returns the element at which a menu opened by key appears; `null`: the browser's menu. */
  onOpen: (event: MouseEvent, isByKey: boolean) => Element | null
  /** Opens the menu on a long press too. */
  opensByTouch?: boolean
  /** The area on which the menu opens. */
  area: ReactNode
}

/** Commands as menu items, for a context menu of the first view. They load together with its popup. */
export const ContextMenuItems = lazyPart(async () => (await import('./menu.tsx')).CommandItems)

const LoadedPopup = lazyPart(async () => {
  const [{ ContextMenuPopup }] = await Promise.all([
    import('./context-menu-popup.tsx'),
    ContextMenuItems.preload(),
  ])
  return ContextMenuPopup
})

/** Loads what context menus need, so that the first one opens at once. */
export const preloadContextMenus = LoadedPopup.preload

/**
 * A menu that opens on an area by right click, long press, Shift+F10 or the menu key. Shift+right click opens the
 * browser's own menu. Closing the menu restores the focus. The popup loads when a menu first opens: it is a large
 * part of the page's code.
 */
export function ContextMenu({ onOpen, opensByTouch = false, area, ...popup }: ContextMenuProps) {
  // Browsers report differently that a key caused a `contextmenu` event.
  const isLastInputKey = useRef(false)
  const [opening, setOpening] = useState<MenuOpening | null>(null)
  const [isLoading, startLoading] = useTransition()
  const longPress = useLongPress()
  useNextPress(isLoading, () => setOpening(null))

  const open = (event: MouseEvent) => {
    longPress.end()
    // The event must not open the menu of an area around this one.
    event.stopPropagation()
    const { nativeEvent, button, shiftKey } = event
    const isByKey = isLastInputKey.current || button === NO_BUTTON
    const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
    const isForBrowser = shiftKey && !isByKey
    const element = isForBrowser || (isTouch && !opensByTouch) ? null : onOpen(event, isByKey)
    if (element === null) return
    event.preventDefault()
    const next = {
      event: nativeEvent,
      anchor: isByKey ? element : null,
      focused: document.activeElement,
    }
    if (opening !== null) setOpening(next)
    // A fallback of Suspense would stay for at least 300 ms; a transition waits without one.
    else startLoading(() => setOpening(next))
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the elements inside have the roles and the focus */}
      <div
        className="contents"
        style={{ WebkitTouchCallout: 'none' }}
        onContextMenu={open}
        onKeyDownCapture={() => {
          isLastInputKey.current = true
        }}
        onPointerDownCapture={() => {
          isLastInputKey.current = false
        }}
        onTouchStart={(event) => opensByTouch && longPress.start(event)}
        onTouchMove={longPress.move}
        onTouchEnd={longPress.lift}
        onTouchCancel={longPress.end}
      >
        {area}
      </div>
      <Suspense>{opening && <LoadedPopup opening={opening} {...popup} />}</Suspense>
    </>
  )
}

/** Calls back when the user presses the pointer or Escape while `isWaiting`. */
function useNextPress(isWaiting: boolean, onPress: () => void): void {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    if (!isWaiting) return
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    window.addEventListener('pointerdown', () => press(), options)
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && press(), options)
    return () => listening.abort()
  }, [isWaiting])
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
