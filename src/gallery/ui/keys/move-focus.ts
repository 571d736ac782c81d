import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
}

/** Moves the focus in a list that is one tab stop, by the arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, items: string): void {
  const step = steps[event.key]
  const found = [...event.currentTarget.querySelectorAll<HTMLElement>(items)]
  const at = found.findIndex((item) => item.matches(':focus'))
  if (step === undefined || at < 0) return
  event.preventDefault()
  found[step(at, found.length - 1)]?.focus()
}
