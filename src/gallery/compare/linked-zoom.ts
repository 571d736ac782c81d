import type { Size } from '#gallery/ui/stage/fit-box.ts'

/** The visible part of an image, relative to its size, so that images of other sizes can show the same part. */
export interface Zoom {
  /** 1: the whole image fits its stage. */
  readonly scale: number
  /** The point in the middle of the stage, as fractions of the image's width and height. */
  readonly x: number
  readonly y: number
}

export const WHOLE: Zoom = { scale: 1, x: 0.5, y: 0.5 }

interface Placed {
  /** Size of the image without zoom, in CSS pixels. */
  readonly fitted: Size
  readonly stage: Size
}

/** A point relative to the middle of the stage, in CSS pixels. */
interface Point {
  readonly x: number
  readonly y: number
}

/** Returns the largest size at which all of the image fits on the stage. A small image is enlarged, to match others. */
export function filledBox(image: Size, stage: Size): Size {
  const scale = Math.min(stage.width / image.width, stage.height / image.height)
  return { width: image.width * scale, height: image.height * scale }
}

/** Keeps the edges of the image out of the stage, or centers the image if it is smaller. */
export const bounded = ({ scale, x, y }: Zoom, { fitted, stage }: Placed): Zoom => ({
  scale,
  x: boundedMiddle(x, fitted.width * scale, stage.width),
  y: boundedMiddle(y, fitted.height * scale, stage.height),
})

function boundedMiddle(middle: number, length: number, room: number): number {
  const half = room / 2 / length
  return half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, middle))
}

/** Zooms so that the part of the image at a point stays there. */
export function zoomedAt(zoom: Zoom, scale: number, at: Point, placed: Placed): Zoom {
  const { fitted } = placed
  const by = 1 / zoom.scale - 1 / scale
  const x = zoom.x + (at.x * by) / fitted.width
  const y = zoom.y + (at.y * by) / fitted.height
  return bounded({ scale, x, y }, placed)
}

/** Moves the image by a distance in CSS pixels. */
export function panned({ scale, x, y }: Zoom, by: Point, placed: Placed): Zoom {
  const { width, height } = placed.fitted
  return bounded({ scale, x: x - by.x / (width * scale), y: y - by.y / (height * scale) }, placed)
}

/** Returns the CSS transform of a picture in the top left corner of the stage. */
export function transformOf(zoom: Zoom, placed: Placed): string {
  const { scale, x, y } = bounded(zoom, placed)
  const { fitted, stage } = placed
  const left = stage.width / 2 - x * fitted.width * scale
  const top = stage.height / 2 - y * fitted.height * scale
  return `translate(${left}px, ${top}px) scale(${scale})`
}
