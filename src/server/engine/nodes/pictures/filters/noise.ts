import Type, { type Static, type TObject } from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { OptionalImage } from '#server/engine/nodes/pictures/inputs.ts'
import { blend, mixThrough, withAlphaOf } from '#server/engine/pictures/blend.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, emptyPicture, type Picture } from '#server/engine/pictures/picture.ts'
import { normalFrom, randomFrom } from '#server/engine/pictures/random.ts'
import { resize } from '#server/engine/pictures/resample/resize.ts'

const noiseInputs = {
  seed: Type.Integer({ default: 0, minimum: 0, maximum: 2 ** 32 - 1 }),
  noise_type: Type.Enum(['gaussian', 'salt_and_pepper'], { default: 'gaussian' }),
  amount: Type.Number({ default: 0.1, minimum: 0, maximum: 1 }),
  noise_color: Type.Boolean({ default: true, description: 'Whether each channel differs' }),
  size: Type.Integer({ default: 1, minimum: 1, description: 'Of one grain, in pixels' }),
}
type Noise = Static<TObject<typeof noiseInputs>>

/** Returns a generator of grain values: normally distributed bytes, or black and white. */
const grainsOf = ({ seed, noise_type, amount }: Noise): (() => number) => {
  const random = randomFrom(seed)
  if (noise_type === 'salt_and_pepper') return () => (random() < amount ? 255 : 0)
  const normal = normalFrom(random)
  // Wraps around like a byte, as InvokeAI's noise does.
  return () => Math.trunc(normal() * 255) & 255
}

/** Draws opaque noise as RGBA, in grains of `size`. */
const noiseOf = async ({ width, height }: Picture, noise: Noise): Promise<BytePicture> => {
  const columns = Math.max(1, Math.floor(width / noise.size))
  const rows = Math.max(1, Math.floor(height / noise.size))
  const grain = grainsOf(noise)
  const grains = emptyPicture('RGB', columns, rows)
  await inSlices(columns * rows, 4, (from, to) => {
    for (let at = from * 3; at < to * 3; at += 3) {
      const first = grain()
      grains.data[at] = first
      grains.data[at + 1] = noise.noise_color ? grain() : first
      grains.data[at + 2] = noise.noise_color ? grain() : first
    }
  })
  return toMode(await resize(grains, { width, height }, 'nearest'), 'RGBA')
}

/** Blends in noise that depends only on the seed. Returns RGBA with the original alpha. */
export const imgNoise = definePictureNode({
  type: 'img_noise',
  summary: 'Adds noise to an image',
  inputs: {
    image: ImageField,
    mask: OptionalImage('Black takes noise, white keeps the image; resized to fit'),
    ...noiseInputs,
  },
  run: async ({ image, mask, ...noise }, { readPicture, readAs }) => {
    const picture = await readAs(image, 'RGBA')
    const grains = await noiseOf(picture, noise)
    const noisy = await blend(picture, grains, noise.amount)
    const whole = await withAlphaOf(noisy, picture)
    if (mask === null) return whole
    const stretched = await resize(await readPicture(mask), picture, 'lanczos')
    return mixThrough(picture, whole, await toMode(stretched, 'L'))
  },
})
