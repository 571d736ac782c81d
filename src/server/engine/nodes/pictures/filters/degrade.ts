import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, bandsOf, hasAlpha } from '#server/engine/pictures/picture.ts'
import { withAlphaOf } from '#server/engine/pictures/with-alpha-of.ts'

/** What `invokeai_img_enhance` can change. */
export type Quality = 'color' | 'contrast' | 'brightness' | 'sharpness'

type Degrade = (picture: BytePicture, signal: AbortSignal) => Promise<BytePicture>

const greyed: Degrade = async (picture, signal) =>
  toMode(await toMode(picture, hasAlpha(picture) ? 'LA' : 'L', signal), picture.mode, signal)

/** One grey everywhere, with the alpha of the picture. */
const flat = (picture: BytePicture, grey: number, signal: AbortSignal): Promise<BytePicture> =>
  withAlphaOf({ ...picture, data: new Uint8Array(picture.data.length).fill(grey) }, picture, signal)

const meanOf = async (picture: BytePicture, signal: AbortSignal): Promise<number> => {
  const grey = await toMode(picture, 'L', signal)
  let sum = 0
  await inSlices(grey.data.length, 1, signal, (from, to) => {
    for (let at = from; at < to; at++) sum += grey.data[at] ?? 0
  })
  return sum / grey.data.length
}

/** The mean of nine pixels, of which the middle counts five times. The outermost pixels stay as they are. */
const softened: Degrade = async (picture, signal) => {
  const { width, height, data: source } = picture
  const bands = bandsOf[picture.mode]
  const rowLength = width * bands
  const data = new Uint8Array(source)
  await inSlices(height, width, signal, (from, to) => {
    for (let row = Math.max(1, from); row < Math.min(to, height - 1); row++) {
      const end = (row + 1) * rowLength - bands
      for (let at = row * rowLength + bands; at < end; at++) {
        let sum = 4 * (source[at] ?? 0)
        for (let line = at - rowLength; line <= at + rowLength; line += rowLength) {
          sum += (source[line - bands] ?? 0) + (source[line] ?? 0) + (source[line + bands] ?? 0)
        }
        data[at] = Math.round(sum / 13)
      }
    }
  })
  return withAlphaOf({ ...picture, data }, picture, signal)
}

/** A picture without the quality, as Pillow's `ImageEnhance` makes it; the alpha stays. */
export const degrade: Readonly<Record<Quality, Degrade>> = {
  color: greyed,
  contrast: async (picture, signal) =>
    flat(picture, Math.trunc((await meanOf(picture, signal)) + 0.5), signal),
  brightness: (picture, signal) => flat(picture, 0, signal),
  sharpness: softened,
}
