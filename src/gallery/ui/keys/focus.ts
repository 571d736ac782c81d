import { useEffect } from 'react'
import { topDialog } from './keys.ts'

/** Marks a part of the page that gets the focus when the focused element inside it is removed. */
export const focusFallback = { tabIndex: -1, 'data-focus-fallback': '' } as const

/** Moves the focus to the open dialog, the grid of the page, or its main part: the first one there is. */
export function focusMain(): void {
  const main = document.querySelector<HTMLElement>('main')
  const target = topDialog() ?? main?.querySelector<HTMLElement>('[role=grid]') ?? main
  target?.focus({ preventScroll: true })
}

/**
 * Keeps the focus from falling to `document.body`.
 *
 * Browsers drop the focus without an event when the focused element is removed or disabled, and
 * screen readers then start again at the top of the page. The focus goes to the nearest part that is marked
 * with `focusFallback`, else to the main part.
 */
export function useFocusGuard(): void {
  useEffect(() => {
    let last: { element: Element; fallbacks: readonly HTMLElement[] } | null = null
    let frame = 0

    const isLost = () => isNowhere() && last !== null && !canHaveFocus(last.element)
    const restore = () => {
      if (!isLost()) return
      const fallback = last?.fallbacks.find(canHaveFocus)
      if (fallback) fallback.focus({ preventScroll: true })
      else focusMain()
    }
    const restoreSoon = () => {
      if (!isLost()) return
      cancelAnimationFrame(frame)
      // After two frames: dialogs and the board list first move the focus to a better place themselves.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(restore)
      })
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) last = { element: target, fallbacks: fallbacksOf(target) }
    }
    const onBlur = () =>
      queueMicrotask(() => {
        // A click on empty space, for example: the focus was given up, not lost.
        if (isNowhere() && last !== null && canHaveFocus(last.element)) last = null
      })

    const observer = new MutationObserver(restoreSoon)
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['disabled'],
    })
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onBlur)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onBlur)
    }
  }, [])
}

const isNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

const canHaveFocus = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility()

/** Noted while the element is there: a removed element no longer knows its ancestors. Nearest first. */
function fallbacksOf(element: Element): HTMLElement[] {
  const fallbacks: HTMLElement[] = []
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (at.dataset.focusFallback !== undefined) fallbacks.push(at)
  }
  return fallbacks
}
