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

/** Up to this scale an image counts as not enlarged; the rounding errors of the zoom library are smaller. */
export const FITTED = 1.001

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

/** Returns the scale for a zoom in percent. */
const scaleOf = (percent: number, image: Size, fitted: Size, pixelRatio: number): number =>
  (percent * image.width) / (100 * fitted.width * pixelRatio)

/** A part of an enlarged image, so that the next image can show the same part. */
export interface ZoomedPart {
  /** 100: one image pixel per screen pixel. */
  readonly percent: number
  /** The point in the middle of the stage, as fractions of the image's width and height. */
  readonly x: number
  readonly y: number
}

/** The scale of an image and the position of its top left corner on the stage, in CSS pixels. */
export interface Transform {
  readonly scale: number
  readonly positionX: number
  readonly positionY: number
}

interface Placed {
  image: Size
  fitted: Size
  stage: Size
  pixelRatio: number
}

/** Returns the part of the image in the middle of the stage. null: the image is not enlarged. */
export const partOf = (transform: Transform, { image, fitted, stage, pixelRatio }: Placed) => {
  const { scale, positionX, positionY } = transform
  if (scale <= FITTED) return null
  return {
    percent: (100 * scale * fitted.width * pixelRatio) / image.width,
    x: (stage.width / 2 - positionX) / (fitted.width * scale),
    y: (stage.height / 2 - positionY) / (fitted.height * scale),
  }
}

/** Returns the transform that shows a part of another image, within the limits of that image. */
export const transformTo = (part: ZoomedPart, { image, fitted, stage, pixelRatio }: Placed) => {
  const largest = maxScale(image, fitted, pixelRatio)
  const scale = Math.min(largest, Math.max(1, scaleOf(part.percent, image, fitted, pixelRatio)))
  return {
    scale,
    positionX: positionOf(part.x, fitted.width * scale, stage.width),
    positionY: positionOf(part.y, fitted.height * scale, stage.height),
  }
}

/** Centers an image that fits. Otherwise no edge of the image is inside the stage. */
const positionOf = (fraction: number, length: number, room: number): number =>
  length <= room
    ? (room - length) / 2
    : Math.min(0, Math.max(room - length, room / 2 - fraction * length))

/** Returns the zoom factor of a wheel event. Trackpads report a pinch as a wheel with Ctrl pressed, in small steps. */
export const wheelFactor = ({ deltaY, deltaMode, ctrlKey }: WheelStep): number => {
  const lines = deltaMode === 1 ? 16 : 1
  const isPinch = ctrlKey && Math.abs(deltaY) < 50
  return Math.exp(-deltaY * lines * (isPinch ? 0.01 : 0.002))
}

type WheelStep = Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>
