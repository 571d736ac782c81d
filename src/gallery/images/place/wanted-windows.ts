import { windowIndexOf } from '#gallery/api/images/image-windows.ts'
import type { RememberedPlace } from './remembered-place.ts'

interface WantedWindowsOptions {
  total: number
  /** Positions of the images on the screen; `null` before the first layout. */
  positions: { readonly from: number; readonly to: number } | null
  remembered: RememberedPlace | null
}

/** Returns the windows that the screen needs: visible windows first, then those within one screen height. */
export function wantedWindows({ total, positions, remembered }: WantedWindowsOptions): number[] {
  if (positions === null) return [windowIndexOf(remembered?.position ?? 0)]
  const { from, to } = positions
  const lastWindow = windowIndexOf(Math.max(0, total - 1))
  const within = (position: number) => Math.min(windowIndexOf(Math.max(0, position)), lastWindow)
  const screen = to - from + 1
  const wanted = new Set<number>()
  for (let index = within(from); index <= within(to); index += 1) wanted.add(index)
  for (let index = within(from - screen); index <= within(to + screen); index += 1) {
    wanted.add(index)
  }
  return [...wanted]
}
