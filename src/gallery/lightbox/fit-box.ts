/** Width and height, in CSS pixels or in image pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Returns the largest size at which all of the image fits on the stage, without enlarging it. */
export function fitBox(image: Size, stage: Size): Size {
  const scale = Math.min(1, stage.width / image.width, stage.height / image.height)
  return { width: image.width * scale, height: image.height * scale }
}

/** Maximum zoom, relative to the image's actual size. */
const MAX_ZOOM = 8

/** Returns the scale at which an image pixel is one screen pixel. At least 1: a small image is never shrunk. */
export const actualSizeScale = (image: Size, fitted: Size, pixelRatio: number): number =>
  Math.max(1, image.width / fitted.width / pixelRatio)

/** Returns the scale at which the zoom is 800 %; at least 2. */
export const maxScale = (image: Size, fitted: Size, pixelRatio: number): number =>
  Math.max(2, (MAX_ZOOM * image.width) / fitted.width / pixelRatio)

/** Returns the zoom in percent for a scale; 100 % is one image pixel per screen pixel. */
export const percentOf = (scale: number, image: Size, fitted: Size, pixelRatio: number): number =>
  Math.round((100 * scale * fitted.width * pixelRatio) / image.width)

/** Returns the zoom factor of a wheel event. Trackpads report a pinch as a wheel with Ctrl pressed, in small steps. */
export const wheelFactor = ({ deltaY, deltaMode, ctrlKey }: WheelStep): number => {
  const lines = deltaMode === 1 ? 16 : 1
  const isPinch = ctrlKey && Math.abs(deltaY) < 50
  return Math.exp(-deltaY * lines * (isPinch ? 0.01 : 0.002))
}

type WheelStep = Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>
