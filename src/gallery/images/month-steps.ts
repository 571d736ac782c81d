const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  PageDown: 12,
  PageUp: -12,
  Home: -Infinity,
  End: Infinity,
}

/** To which month a key leads from one, by index; `null` for a key that leads nowhere. */
export function monthFrom(index: number, key: string, count: number): number | null {
  const step = STEPS[key]
  return step === undefined ? null : Math.min(Math.max(0, index + step), Math.max(0, count - 1))
}
