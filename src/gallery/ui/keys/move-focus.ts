import type { KeyboardEvent } from 'react'

type Step = (at: number, last: number) => number

const next: Step = (at, last) => Math.min(last, at + 1)
const previous: Step = (at) => Math.max(0, at - 1)

const steps: Readonly<Record<string, Step>> = {
  ArrowDown: next,
  ArrowUp: previous,
  Home: () => 0,
  End: (_at, last) => last,
}

const sidewaysSteps: typeof steps = { ...steps, ArrowRight: next, ArrowLeft: previous }

/**
 * Moves the focus in a list that is one tab stop, by the arrow keys, Home and End.
 *
 * @param items - A selector.
 * @param options - `isSideways`: the left and right arrow keys move it too.
 * @returns false if the key does not move the focus.
 */
export function moveFocus(
  event: KeyboardEvent<Element>,
  items: string,
  { isSideways = false } = {},
): boolean {
  const step = (isSideways ? sidewaysSteps : steps)[event.key]
  const found = [...event.currentTarget.querySelectorAll<HTMLElement | SVGElement>(items)]
  const at = found.findIndex((item) => item.matches(':focus'))
  if (step === undefined || at < 0) return false
  event.preventDefault()
  found[step(at, found.length - 1)]?.focus()
  return true
}
