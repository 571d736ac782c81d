import sharp, { type Exif, type Sharp } from 'sharp'
import type { PictureDescription } from './describe-picture.ts'
import { a1111Parameters } from './embedded/a1111-parameters.ts'
import { comfyuiTexts } from './embedded/comfyui-texts.ts'
import { invokeaiTexts } from './embedded/invokeai-texts.ts'
import { addPngText } from './png-text.ts'

const FRAME_COUNT = 4

/** A phone's way of storing an upright picture: lying, with a note to turn it a quarter clockwise. */
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

const asPhoto = (painted: Sharp, picture: PictureDescription, takenAt: number) =>
  picture.heightPx > picture.widthPx
    ? painted
        .rotate(-90)
        .withExif(cameraExif(picture, takenAt))
        .withMetadata({ orientation: QUARTER_TURN })
    : painted.withExif(cameraExif(picture, takenAt))

/** The same picture in a few brightnesses: enough to see that it moves. */
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

/** Makes the file: in the format of its kind, with the metadata that its maker would embed. */
export const encodePicture = async (
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
