import type { Size } from '#gallery/ui/stage/fit-box.ts'

/** A place in the window, in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A rectangle in the window, in CSS pixels. */
export type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

const between = (low: number, value: number, high: number): number =>
  Math.max(low, Math.min(value, high))

/** Returns the part of a picture that the viewer shows. null: all of it is outside the stage. */
export function visiblePart(picture: Box, stage: Box): Box | null {
  const left = Math.max(picture.left, stage.left)
  const top = Math.max(picture.top, stage.top)
  const right = Math.min(picture.right, stage.right)
  const bottom = Math.min(picture.bottom, stage.bottom)
  return left < right && top < bottom ? { left, top, right, bottom } : null
}

export const middleOf = ({ left, top, right, bottom }: Box): Point => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
})

/** Returns the nearest point inside a box. */
export const nearestIn = ({ left, top, right, bottom }: Box, { x, y }: Point): Point => ({
  x: between(left, x, right),
  y: between(top, y, bottom),
})

/** Returns the pixel of a picture at a point of the window, as column and row. */
export const pixelAt = ({ x, y }: Point, { left, top, right, bottom }: Box, size: Size): Point => ({
  x: between(0, Math.floor(((x - left) / (right - left)) * size.width), size.width - 1),
  y: between(0, Math.floor(((y - top) / (bottom - top)) * size.height), size.height - 1),
})

/** Returns the length of one step with an arrow key: a pixel of the picture, at least one of the screen. */
export const stepOf = ({ left, right }: Box, { width }: Size): number =>
  Math.max(1, (right - left) / width)

interface LoupeSize {
  readonly radius: number
  /** Distance between the point and the edge of the loupe. */
  readonly gap: number
  /** Height of the bar at the top of the stage, which the loupe covers only if there is no other room. */
  readonly bar: number
}

/** Returns the middle of the loupe: above the point, or below if there is no room. */
export function loupeMiddle({ x, y }: Point, stage: Box, { radius, gap, bar }: LoupeSize): Point {
  const topAbove = y - gap - 2 * radius
  const fitsBelow = y + gap + 2 * radius <= stage.bottom
  const isBelow = topAbove < stage.top || (topAbove < stage.top + bar && fitsBelow)
  return {
    x: between(stage.left + radius, x, stage.right - radius),
    y: isBelow ? y + gap + radius : y - gap - radius,
  }
}
