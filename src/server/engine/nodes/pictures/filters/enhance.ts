import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { blend, withAlphaOf } from '#server/engine/pictures/blend.ts'
import { boxBlur, gaussianBlur } from '#server/engine/pictures/blur/blur.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { mapBands } from '#server/engine/pictures/map-bands.ts'
import { mapColors } from '#server/engine/pictures/modes/premultiply.ts'
import { bytesOf, toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, bandsOf, hasAlpha } from '#server/engine/pictures/picture.ts'

const Factor = (description: string) => Type.Number({ default: 1, description })

/** The order in which the factors are applied. */
const order: readonly Quality[] = ['color', 'contrast', 'brightness', 'sharpness']

/** Inverts the colors and drops the alpha, like InvokeAI. */
const invert = async (picture: BytePicture): Promise<BytePicture> => {
  const opaque = hasAlpha(picture) ? await toMode(picture, 'RGB') : picture
  return mapBands(opaque, (value) => 255 - value)
}

/**
 * Applies Pillow's `ImageEnhance` for each factor: blends the picture with a version without the quality. The factor
 * 1 changes nothing, 0 removes the quality, and more than 1 amplifies it.
 */
export const imgEnhance = definePictureNode({
  type: 'invokeai_img_enhance',
  summary: 'Changes colour, contrast, brightness and sharpness of an image',
  inputs: {
    image: ImageField,
    invert: Type.Boolean({ default: false, description: 'Makes a negative first' }),
    color: Factor('0 is grey'),
    contrast: Factor('0 is one grey everywhere'),
    brightness: Factor('0 is black'),
    sharpness: Factor('0 is softened, 2 is sharpened'),
  },
  run: async ({ image, invert: isInverted, ...factors }, { readPicture }) => {
    const read = await bytesOf(await readPicture(image))
    let picture = isInverted ? await invert(read) : read
    for (const quality of order) {
      const factor = factors[quality]
      if (factor === 1) continue
      picture = await blend(await degrade[quality](picture), picture, factor)
    }
    return picture
  },
})

type Quality = 'color' | 'contrast' | 'brightness' | 'sharpness'

type Degrade = (picture: BytePicture) => Promise<BytePicture>

const grayed: Degrade = async (picture) =>
  toMode(await toMode(picture, hasAlpha(picture) ? 'LA' : 'L'), picture.mode)

/** Returns a uniformly gray picture with the alpha of the given one. */
const flat = (picture: BytePicture, gray: number): Promise<BytePicture> =>
  withAlphaOf({ ...picture, data: new Uint8Array(picture.data.length).fill(gray) }, picture)

const meanOf = async (picture: BytePicture): Promise<number> => {
  const gray = await toMode(picture, 'L')
  let sum = 0
  await inSlices(gray.data.length, 1, (from, to) => {
    for (let at = from; at < to; at++) sum += gray.data[at] ?? 0
  })
  return sum / gray.data.length
}

/** Averages 3x3 pixels; the center has the weight 5. Border pixels do not change. */
const softened: Degrade = async (picture) => {
  const { width, height, data: source } = picture
  const bands = bandsOf[picture.mode]
  const rowLength = width * bands
  const data = new Uint8Array(source)
  await inSlices(height, width, (from, to) => {
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
  return withAlphaOf({ ...picture, data }, picture)
}

/** Removes a quality like Pillow's `ImageEnhance`. The alpha does not change. */
const degrade: Readonly<Record<Quality, Degrade>> = {
  color: grayed,
  contrast: async (picture) => flat(picture, Math.trunc((await meanOf(picture)) + 0.5)),
  brightness: (picture) => flat(picture, 0),
  sharpness: softened,
}

const { fround, trunc } = Math

const timesAlpha = (value: number, alpha: number): number => trunc((value * alpha) / 255)

/** InvokeAI adds 1e-6 to avoid a division by 0, so 200 divided by an alpha of 1 becomes 199. */
const overAlpha = (value: number, alpha: number): number =>
  Math.min(255, trunc(fround(value / fround(fround(alpha / 255) + fround(1e-6)))))

/** Blurs premultiplied colors, so that transparent pixels do not bleed into visible ones. Returns RGBA. */
export const imgBlur = definePictureNode({
  type: 'img_blur',
  summary: 'Blurs an image',
  inputs: {
    image: ImageField,
    radius: Type.Number({ default: 8, minimum: 0, description: 'In pixels' }),
    blur_type: Type.Enum(['gaussian', 'box'], { default: 'gaussian' }),
  },
  run: async ({ image, radius, blur_type }, { readAs }) => {
    const rgba = await readAs(image, 'RGBA')
    const blur = blur_type === 'gaussian' ? gaussianBlur : boxBlur
    const blurred = await blur(await mapColors(rgba, timesAlpha), radius)
    return mapColors(blurred, overAlpha)
  },
})
