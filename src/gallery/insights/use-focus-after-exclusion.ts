import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

type Focusable = HTMLElement | SVGElement

/** The focused value of a card. */
interface FocusedValue {
  /** The plot, or its table. */
  readonly list: 'svg' | 'table'
  readonly at: number
}

const marksIn = (card: Element, list: FocusedValue['list']) => [
  ...card.querySelectorAll<Focusable>(`${list} [data-mark]`),
]

/**
 * An excluded value disappears, and with it the focus. This moves the focus to the next value. Without another value it
 * moves to the heading of the card, and without the card to the page.
 *
 * @returns The handlers of the card, and a function that returns the element to focus.
 */
export function useFocusAfterExclusion(card: RefObject<HTMLElement | null>) {
  const focused = useRef<FocusedValue | null>(null)
  const next = (): Focusable | null => {
    if (card.current === null || focused.current === null) return null
    const { list, at } = focused.current
    const marks = marksIn(card.current, list)
    return marks[at] ?? marks.at(-1) ?? card.current.querySelector<HTMLElement>('h2')
  }
  useEffect(() => {
    if (document.activeElement === document.body) next()?.focus()
  })
  useLayoutEffect(() => {
    const element = card.current
    return () => {
      if (focused.current === null || element === null) return
      const { activeElement } = document
      if (activeElement !== document.body && !element.contains(activeElement)) return
      element.closest('main')?.focus({ preventScroll: true })
    }
  }, [card])
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    // React also reports the focus in the menu of a value, which returns it.
    if (!currentTarget.contains(target)) return
    focused.current = null
    for (const list of ['svg', 'table'] as const) {
      const marks: readonly Element[] = marksIn(currentTarget, list)
      const at = marks.indexOf(target)
      if (at >= 0) focused.current = { list, at }
    }
  }
  const onBlur = ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(target)) return
    if (relatedTarget?.closest('[role="menu"]') == null) focused.current = null
  }
  return { handlers: { onFocus, onBlur }, next }
}
