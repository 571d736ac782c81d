/** The movement of a finger, in CSS pixels, and its duration. */
export interface Stroke {
  readonly dx: number
  readonly dy: number
  readonly ms: number
}

const FAR_PX = 80
const FLICK_PX = 30
const FLICK_PX_PER_MS = 0.4

/** Sideways swipes page, a swipe down closes. */
export type Swipe = 'previous' | 'next' | 'down'

/** The swipe that a stroke is, if it is far or quick enough, and not diagonal. */
export function swipeOf({ dx, dy, ms }: Stroke): Swipe | null {
  const across = Math.abs(dx)
  const along = Math.abs(dy)
  const distance = Math.max(across, along)
  if (distance < 1.5 * Math.min(across, along)) return null
  const isFlick = distance >= FLICK_PX && distance / Math.max(1, ms) >= FLICK_PX_PER_MS
  if (distance < FAR_PX && !isFlick) return null
  if (along > across) return dy > 0 ? 'down' : null
  return dx < 0 ? 'next' : 'previous'
}
