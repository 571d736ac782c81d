import { useEffect } from 'react'
import { topDialog } from './keys.ts'

/** Props of a part of the page that gets the focus when the focused element inside it is removed. */
export const focusFallback = { tabIndex: -1, 'data-focus-fallback': '' } as const

/** Focuses the open dialog, else the grid of the page, else its main part until the grid is rendered. */
export function focusMain(): void {
  const main = document.querySelector<HTMLElement>('main')
  const target = topDialog() ?? gridOf(main) ?? main
  target?.focus({ preventScroll: true })
  if (main !== null && target === main) focusGridOnceRendered(main)
}

const gridOf = (main: Element | null) => main?.querySelector<HTMLElement>('[role=grid]') ?? null

/** Moves the focus from the main part to the grid when it is rendered, unless the focus moves elsewhere first. */
function focusGridOnceRendered(main: HTMLElement): void {
  const observer = new MutationObserver(() => gridOf(main)?.focus({ preventScroll: true }))
  observer.observe(main, { childList: true, subtree: true })
  main.addEventListener('focusout', () => observer.disconnect(), { once: true })
}

/**
 * Prevents the focus from falling back to `document.body`.
 *
 * Browsers drop the focus without an event when the focused element is removed or disabled, and screen readers then
 * start again at the top of the page. The guard moves the focus to the nearest ancestor with `focusFallback`, else to
 * the main part.
 */
export function useFocusGuard(): void {
  useEffect(() => {
    // A user can focus an element after the first paint and before this effect runs.
    let last = isNowhere() ? null : focusOn(document.activeElement)
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
      // After two frames, because dialogs and the board list first move the focus to a better place themselves.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(restore)
      })
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) last = focusOn(target)
    }
    const onBlur = () =>
      queueMicrotask(() => {
        // The focus was given up, for example by a click on empty space, and not lost.
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

/** An element that had the focus, with the places for the focus after its removal. */
interface Focus {
  element: Element
  fallbacks: readonly HTMLElement[]
}

const focusOn = (element: Element | null): Focus | null =>
  element && { element, fallbacks: fallbacksOf(element) }

const isNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

const canHaveFocus = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility()

/** Returns the fallbacks of an element, nearest first. Called on focus, because a removed element has no ancestors. */
function fallbacksOf(element: Element): HTMLElement[] {
  const fallbacks: HTMLElement[] = []
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (at.dataset.focusFallback !== undefined) fallbacks.push(at)
  }
  return fallbacks
}
