import { setImmediate } from 'node:timers/promises'
import sharp, { type Exif, type Sharp } from 'sharp'
import type { ImageMediaType } from '#contract/image.ts'
import { a1111Parameters } from '#demo/embedded/a1111-parameters.ts'
import { comfyuiTexts } from '#demo/embedded/comfyui-texts.ts'
import { invokeaiTexts } from '#demo/embedded/invokeai-texts.ts'
import {
  describePicture,
  NEWEST_DATE,
  type PictureDescription,
  type PictureOptions,
} from './describe-picture.ts'
import { lookOf } from './look.ts'
import type { Color } from './palette.ts'
import { addPngText } from './png-text.ts'
import type { Scene, SceneFrame } from './scene.ts'

/** Larger pictures are painted at this size and enlarged, because painting takes most of the time. */
const MAX_PAINTED_PX = 640

/** A picture as an image file. */
export interface DrawnPicture {
  bytes: Buffer
  fileName: string
  mediaType: ImageMediaType
  /** Creation date in milliseconds since 1970. In the EXIF of a photo, otherwise the date of the file. */
  takenAt: number
  description: PictureDescription
}

/**
 * Draws a picture and embeds the metadata of its generator or camera.
 *
 * Equal arguments give equal bytes. Ages count back from `newest`, in milliseconds since 1970.
 *
 * @example
 * const { bytes, fileName } = await drawPicture({ seed: 7, kind: 'comfyui', widthPx: 256, heightPx: 256
 * })
 */
export const drawPicture = async ({
  seed,
  newest = NEWEST_DATE,
  ...options
}: PictureOptions & { seed: number; newest?: number }): Promise<DrawnPicture> => {
  const description = describePicture(seed, options)
  const { widthPx, heightPx, fileName, mediaType } = description
  const { subject, palette, random } = lookOf(seed)
  const scale = Math.min(1, MAX_PAINTED_PX / Math.max(widthPx, heightPx))
  const width = Math.max(1, Math.round(widthPx * scale))
  const height = Math.max(1, Math.round(heightPx * scale))
  const pixels = await paint(subject.scene, width, height, { palette, random })
  const raw = sharp(pixels, { raw: { width, height, channels: 3 } })
  const painted = scale < 1 ? raw.resize(widthPx, heightPx, { fit: 'fill' }) : raw
  // EXIF dates have a precision of one second.
  const takenAt = Math.floor((newest - description.ageMs) / 1000) * 1000
  const bytes = await encodePicture(painted, description, takenAt)
  return { bytes, fileName, mediaType, takenAt, description }
}

/** Maximum time of painting before other tasks run, in milliseconds. A server draws between requests. */
const TURN_MS = 8

/** Paints a scene. Returns rows of red, green and blue bytes. */
const paint = async (
  scene: Scene,
  widthPx: number,
  heightPx: number,
  look: Pick<SceneFrame, 'palette' | 'random'>,
): Promise<Buffer> => {
  const pixel = 1 / heightPx
  const shader = scene({ aspect: widthPx / heightPx, pixel, ...look })
  const pixels = Buffer.alloc(widthPx * heightPx * 3)
  const color: Color = [0, 0, 0]
  let at = 0
  let turnBegan = performance.now()
  for (let row = 0; row < heightPx; row++) {
    if (performance.now() - turnBegan > TURN_MS) {
      await setImmediate()
      turnBegan = performance.now()
    }
    const y = (row + 0.5) * pixel
    for (let column = 0; column < widthPx; column++) {
      const x = (column + 0.5) * pixel
      shader(x, y, color)
      // Darkens the corners, and dithers by half a step to avoid bands in gradients.
      const vignette = 1 - 0.22 * ((column / widthPx - 0.5) ** 2 + (y - 0.5) ** 2)
      const dither = ((row * 7 + column * 13) & 7) / 8
      pixels[at++] = Math.min(255, Math.max(0, color[0] * vignette + dither))
      pixels[at++] = Math.min(255, Math.max(0, color[1] * vignette + dither))
      pixels[at++] = Math.min(255, Math.max(0, color[2] * vignette + dither))
    }
  }
  return pixels
}

const FRAME_COUNT = 4

/** EXIF orientation of a portrait photo of a phone: rotated, to be turned a quarter clockwise. */
const QUARTER_TURN = 6

const exifDate = (at: number) =>
  new Date(at).toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ')

const cameraExif = (picture: PictureDescription, takenAt: number): Exif => ({
  IFD0: { Make: picture.camera.make, Model: picture.camera.model },
  IFD2: {
    DateTimeOriginal: exifDate(takenAt),
    LensModel: picture.camera.lens,
    ExposureTime: '1/250',
    FNumber: '28/10',
    ISOSpeedRatings: '200',
    FocalLength: '35/1',
  },
})

const asPhoto = (painted: Sharp, picture: PictureDescription, takenAt: number) => {
  const photo = painted.withExif(cameraExif(picture, takenAt))
  const isPortrait = picture.heightPx > picture.widthPx
  return isPortrait ? photo.rotate(-90).withMetadata({ orientation: QUARTER_TURN }) : photo
}

/** Returns frames of different brightness, so that the animation is visible. */
const framesOf = async (painted: Sharp, picture: PictureDescription): Promise<Sharp> => {
  const frames = await Promise.all(
    Array.from({ length: FRAME_COUNT }, (_, index) =>
      painted
        .clone()
        .modulate({ brightness: 0.8 + index * 0.12 })
        .raw()
        .toBuffer(),
    ),
  )
  return sharp(Buffer.concat(frames), {
    raw: {
      width: picture.widthPx,
      height: picture.heightPx * FRAME_COUNT,
      channels: 3,
      pageHeight: picture.heightPx,
    },
  })
}

const asPng = async (painted: Sharp, texts: Record<string, string>): Promise<Buffer> =>
  addPngText(await painted.png({ compressionLevel: 3 }).toBuffer(), texts)

/** Encodes the file in the format of its kind, with the metadata that its generator or camera embeds. */
const encodePicture = async (
  painted: Sharp,
  picture: PictureDescription,
  takenAt: number,
): Promise<Buffer> => {
  switch (picture.kind) {
    case 'invokeai':
      return asPng(painted, invokeaiTexts(picture))
    case 'comfyui':
      return asPng(painted, comfyuiTexts(picture))
    case 'a1111':
      return asPng(painted, { parameters: a1111Parameters(picture) })
    case 'a1111-jpeg':
      return painted
        .withExif({ IFD2: { UserComment: a1111Parameters(picture) } })
        .jpeg({ quality: 90 })
        .toBuffer()
    case 'comfyui-webp': {
      const { prompt, workflow } = comfyuiTexts(picture)
      return painted
        .withExif({ IFD0: { Make: `workflow:${workflow}`, Model: `prompt:${prompt}` } })
        .webp({ quality: 85, effort: 1 })
        .toBuffer()
    }
    case 'photo':
      return asPhoto(painted, picture, takenAt).jpeg({ quality: 86 }).toBuffer()
    case 'plain-webp':
      return painted.webp({ quality: 80, effort: 1 }).toBuffer()
    case 'gif':
      return painted.gif({ effort: 1 }).toBuffer()
    case 'animated-gif':
      return (await framesOf(painted, picture)).gif({ effort: 1, loop: 0 }).toBuffer()
    case 'animated-webp':
      return (await framesOf(painted, picture)).webp({ effort: 1, loop: 0 }).toBuffer()
    case 'avif':
      return painted.avif({ quality: 55, effort: 0 }).toBuffer()
    case 'tiff':
      return painted.tiff({ compression: 'lzw' }).toBuffer()
  }
}
