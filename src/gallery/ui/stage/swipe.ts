/** The movement of a finger in CSS pixels, and its duration. */
export interface Stroke {
  readonly dx: number
  readonly dy: number
  readonly ms: number
}

const FAR_PX = 80
const FLICK_PX = 30
const FLICK_PX_PER_MS = 0.4

/** Horizontal swipes change the image; a swipe down closes the viewer. */
export type Swipe = 'previous' | 'next' | 'down'

/** Returns the swipe for a stroke that is long or fast enough and not diagonal; else `null`. */
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
