/** Width and height in CSS pixels, or in an image's own. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The size at which an image is seen whole: as large as the stage allows, and no larger than it is. */
export function fitBox(image: Size, stage: Size): Size {
  const scale = Math.min(1, stage.width / image.width, stage.height / image.height)
  return { width: image.width * scale, height: image.height * scale }
}

/** The largest zoom, of the image's own size. */
const MAX_ZOOM = 8

/**
 * How much a fitted image is enlarged until each of its pixels is one of the screen's. At least 1: what
 * is smaller than the stage is never drawn smaller than that.
 */
export const actualSizeScale = (image: Size, fitted: Size, pixelRatio: number): number =>
  Math.max(1, image.width / fitted.width / pixelRatio)

/** How much it can be enlarged: to 800 %. */
export const maxScale = (image: Size, fitted: Size, pixelRatio: number): number =>
  Math.max(2, (MAX_ZOOM * image.width) / fitted.width / pixelRatio)

/** What a scale comes to, of the image's own size in screen pixels. */
export const percentOf = (scale: number, image: Size, fitted: Size, pixelRatio: number): number =>
  Math.round((100 * scale * fitted.width * pixelRatio) / image.width)

/** A wheel's step as a factor. Trackpads report a pinch as a wheel with Ctrl held, in small steps. */
export const wheelFactor = ({ deltaY, deltaMode, ctrlKey }: WheelStep): number => {
  const lines = deltaMode === 1 ? 16 : 1
  const isPinch = ctrlKey && Math.abs(deltaY) < 50
  return Math.exp(-deltaY * lines * (isPinch ? 0.01 : 0.002))
}

type WheelStep = Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>
