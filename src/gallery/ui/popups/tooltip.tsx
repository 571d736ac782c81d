import { cloneElement, type ReactElement, Suspense, useEffect, useState } from 'react'
import { lazyPart } from '#gallery/ui/lazy-part.ts'

const TooltipPopup = lazyPart(async () => (await import('./tooltip-popup.tsx')).TooltipPopup)

/** Loads the popup, so that the first tooltip opens at once. */
export const preloadTooltip = TooltipPopup.preload

/** Delay of tooltips on hover, in milliseconds. With the keyboard they open at once. */
const DELAY_MS = 400

/** How long a tooltip stays when the pointer leaves its button, for example for the tooltip itself, in milliseconds. */
const LEAVE_MS = 100

/** Browsers disagree whether the pointer moves over a disabled button. */
const WITH_TOOLTIP = '[data-tip]:not(:disabled)'

interface WithTooltipProps {
  label: string
  /** The first key of the action. */
  keys?: string | undefined
  /** The button, which passes all props to its element. */
  children: ReactElement<Record<string, unknown>>
}

/**
 * A button with a tooltip, which `Tooltips` shows. The button needs an accessible name, because screen readers do not
 * read the tooltip.
 */
export const WithTooltip = ({ label, keys, children }: WithTooltipProps) =>
  cloneElement(children, { 'data-tip': label, 'data-tip-keys': keys })

/** Shows the tooltips of the page, one at a time. Render it once, at the end of the page. */
export function Tooltips() {
  const [button, setButton] = useState<HTMLElement | null>(null)
  useEffect(() => watchTooltips(setButton), [])
  return <Suspense>{button !== null && <TooltipPopup button={button} />}</Suspense>
}

/** Calls `onShow` with the button whose tooltip opens, and with null when the tooltip closes. */
function watchTooltips(onShow: (button: HTMLElement | null) => void): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The button whose tooltip is shown or waits for the delay. */
  let current: HTMLElement | null = null
  let isShown = false
  /** The button whose tooltip the user closed. Moves of the pointer over this button do not open it again. */
  let dismissed: HTMLElement | null = null
  /** The focused element when the window lost the focus. */
  let focusedBefore: Element | null = null

  const buttonOf = (target: EventTarget | null): HTMLElement | null => {
    if (!(target instanceof Element)) return null
    return target.closest('[data-tip-popup]') ? current : target.closest<HTMLElement>(WITH_TOOLTIP)
  }
  const close = () => {
    clearTimeout(timer)
    changes.disconnect()
    delete current?.dataset.tipOpen
    current = null
    isShown = false
    onShow(null)
  }
  const changes = new MutationObserver(() => {
    if (!current?.isConnected || !current.matches(WITH_TOOLTIP)) close()
  })
  const show = (button: HTMLElement) => {
    close()
    if (!button.isConnected || !button.matches(WITH_TOOLTIP)) return
    current = button
    isShown = true
    button.dataset.tipOpen = ''
    const attributeFilter = ['data-tip', 'disabled']
    changes.observe(document, { childList: true, subtree: true, attributeFilter })
    onShow(button)
  }
  const showAfterDelay = (button: HTMLElement) => {
    close()
    current = button
    timer = setTimeout(() => show(button), DELAY_MS)
    // If this fails, the popup loads when it is shown.
    void preloadTooltip().catch(() => undefined)
  }
  const dismiss = () => {
    if (current === null) return
    dismissed = current
    close()
  }

  // Not `pointerover`, which also occurs if a button appears under a pointer that does not move.
  const follow = ({ target, pointerType, buttons }: PointerEvent) => {
    if (pointerType === 'touch' || buttons > 0) return
    const button = buttonOf(target)
    if (button !== dismissed) dismissed = null
    if (button === null || button === dismissed) return
    if (button === current) {
      // The pointer has come back before the tooltip closed.
      if (isShown) clearTimeout(timer)
    } else if (isShown) show(button)
    else showAfterDelay(button)
  }
  const leave = ({ target, relatedTarget }: PointerEvent) => {
    if (current === null || buttonOf(target) !== current) return
    if (buttonOf(relatedTarget) === current) return
    clearTimeout(timer)
    if (isShown) timer = setTimeout(close, LEAVE_MS)
    else close()
  }
  const showFocused = ({ target }: FocusEvent) => {
    const isBack = target === focusedBefore
    focusedBefore = null
    if (isBack || !(target instanceof HTMLElement)) return
    if (target.matches(`${WITH_TOOLTIP}:focus-visible`)) show(target)
  }
  const blur = ({ target }: FocusEvent) => {
    if (target === current) close()
  }
  const leaveWindow = () => {
    focusedBefore = document.activeElement
    close()
  }
  // Escape keeps its other effects.
  const dismissOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && dismiss()

  const options = { signal: listening.signal, passive: true, capture: true }
  document.addEventListener('pointermove', follow, options)
  document.addEventListener('pointerout', leave, options)
  document.addEventListener('focusin', showFocused, options)
  document.addEventListener('focusout', blur, options)
  document.addEventListener('keydown', dismissOnEscape, options)
  for (const type of ['pointerdown', 'click', 'wheel'])
    document.addEventListener(type, dismiss, options)
  window.addEventListener('blur', leaveWindow, { signal: listening.signal })
  return () => {
    listening.abort()
    close()
  }
}
