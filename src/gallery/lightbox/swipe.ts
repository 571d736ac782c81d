/** A finger's way across the stage, in CSS pixels, and how long it took. */
export interface Stroke {
  readonly dx: number
  readonly dy: number
  readonly ms: number
}

const FAR_PX = 80
const FLICK_PX = 30
const FLICK_PX_PER_MS = 0.4

/** Whether a stroke pages: far enough or quick enough, and more across than down. */
export function swipeOf({ dx, dy, ms }: Stroke): 'previous' | 'next' | null {
  const across = Math.abs(dx)
  if (across < 1.5 * Math.abs(dy)) return null
  const isFlick = across >= FLICK_PX && across / Math.max(1, ms) >= FLICK_PX_PER_MS
  if (across < FAR_PX && !isFlick) return null
  return dx < 0 ? 'next' : 'previous'
}
