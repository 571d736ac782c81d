import { colorText } from '#contract/likeness/like-terms.ts'
import type { Size } from '#gallery/ui/stage/fit-box.ts'
import type { Point } from './picked-pixel.ts'

type DrawnPicture = HTMLImageElement | HTMLVideoElement

/** The color of a pixel, such as `#ff8800`, or a text that says why it has none. */
export type Sample = { readonly color: string } | { readonly problem: string }

/** Number of pixels in a row of the loupe. Odd, so that one of them is in the middle. */
export const LOUPE_PIXELS = 11

/** Returns the uppermost picture of the viewer that has loaded: the full resolution, a thumbnail or a video. */
export const drawnPicture = (stage: Element): DrawnPicture | null =>
  [...stage.querySelectorAll<DrawnPicture>('.viewed-picture :is(img, video)')].findLast(
    (picture) => sizeOf(picture).width > 0,
  ) ?? null

/** Returns the size in pixels of the file. 0: nothing has loaded. */
export function sizeOf(picture: DrawnPicture): Size {
  if (picture instanceof HTMLImageElement) {
    const { complete, naturalWidth, naturalHeight } = picture
    return complete ? { width: naturalWidth, height: naturalHeight } : { width: 0, height: 0 }
  }
  const hasFrame = picture.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
  const { videoWidth, videoHeight } = picture
  return hasFrame ? { width: videoWidth, height: videoHeight } : { width: 0, height: 0 }
}

/** Draws the pixels around one into the loupe, and returns the color of that one. */
export function drawAround(loupe: HTMLCanvasElement, picture: DrawnPicture, pixel: Point): Sample {
  const context = loupe.getContext('2d', { willReadFrequently: true })
  if (context === null) return { problem: 'This browser cannot read colors' }
  const middle = (LOUPE_PIXELS - 1) / 2
  const from = [pixel.x - middle, pixel.y - middle] as const
  context.clearRect(0, 0, LOUPE_PIXELS, LOUPE_PIXELS)
  context.drawImage(picture, ...from, LOUPE_PIXELS, LOUPE_PIXELS, 0, 0, LOUPE_PIXELS, LOUPE_PIXELS)
  try {
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(
      middle,
      middle,
      1,
      1,
    ).data
    return alpha === 0 ? { problem: 'Transparent' } : { color: colorText([red, green, blue]) }
  } catch {
    // The image came from another origin that does not allow this page to read it.
    return { problem: 'The server of this image does not let this page read its colors' }
  }
}
