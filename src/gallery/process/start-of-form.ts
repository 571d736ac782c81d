/** The first thing to be set of the chain, else the way to its first step; null while neither is there. */
export function startOfForm(within: HTMLElement | null): HTMLElement | null {
  // On a touch screen a field would bring up the keyboard before anything was seen.
  const isTouched = window.matchMedia('(pointer: coarse)').matches
  const field = isTouched ? null : within?.querySelector<HTMLElement>('li :is(input, select)')
  return field ?? within?.querySelector<HTMLElement>('[data-add-step]') ?? null
}
