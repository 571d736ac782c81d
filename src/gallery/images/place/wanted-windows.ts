import { windowIndexOf } from '#gallery/api/images/image-windows.ts'
import type { GridGeometry } from '#gallery/images/grid/grid-geometry.ts'
import type { RememberedPlace } from './remembered-place.ts'

interface WantedWindowsOptions {
  geometry: GridGeometry
  lead: number
  total: number
  /** The visible rows; `null` before the first layout. */
  rows: { startIndex: number; endIndex: number } | null
  remembered: RememberedPlace | null
}

/** Returns the windows that the screen needs: visible windows first, then those within one screen height. */
export function wantedWindows(options: WantedWindowsOptions): number[] {
  const { geometry, lead, total, rows, remembered } = options
  if (rows === null) return [windowIndexOf(remembered?.position ?? 0)]
  const lastWindow = windowIndexOf(Math.max(0, total - 1))
  const within = (position: number) =>
    Math.min(Math.max(0, windowIndexOf(Math.max(0, position))), lastWindow)
  const from = rows.startIndex * geometry.columns - lead
  const to = (rows.endIndex + 1) * geometry.columns - lead - 1
  const screen = to - from + 1
  const wanted = new Set<number>()
  for (let index = within(from); index <= within(to); index += 1) wanted.add(index)
  for (let index = within(from - screen); index <= within(to + screen); index += 1) {
    wanted.add(index)
  }
  return [...wanted]
}
