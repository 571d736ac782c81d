import { expect, test } from 'vitest'
import { pictureOf, runPictureNode } from '#testing/library/pictures.ts'
import { pictureNodes } from './index.ts'

const image = pictureOf('RGB', [[[1, 2, 3]]])

test.each<[string, Record<string, unknown>]>([
  ['img_crop', { image, width: 0 }],
  ['img_crop', { image, height: -3 }],
  ['img_resize', { image, width: 0 }],
  ['img_resize', { image, height: 0 }],
  ['img_resize', { image, resample_mode: 'cubic' }],
  ['img_scale', { image, scale_factor: 0 }],
  ['img_lerp', { image, min: -1 }],
  ['img_lerp', { image, max: 256 }],
  ['img_ilerp', { image, max: 256 }],
  ['img_blur', { image, radius: -0.1 }],
  ['img_blur', { image, blur_type: 'median' }],
  ['unsharp_mask', { image, radius: 0 }],
  ['unsharp_mask', { image, strength: -1 }],
  ['img_conv', { image, mode: 'P' }],
  ['img_chan', { image, channel: 'L' }],
  ['img_channel_offset', { image, channel: 'Red (RGBA)', offset: 256 }],
  ['img_channel_multiply', { image, channel: 'Red (RGBA)', scale: -1 }],
  ['img_channel_multiply', { image, channel: 'Red (RGB)' }],
  ['img_noise', { image, amount: 1.1 }],
  ['img_noise', { image, size: 0 }],
  ['img_noise', { image, seed: -1 }],
  ['blank_image', { mode: 'L' }],
  ['blank_image', { color: { r: 256, g: 0, b: 0, a: 0 } }],
])('%s refuses %j', async (type, inputs) => {
  await expect(runPictureNode(type, inputs)).rejects.toThrow(/^refused: /)
})

test('registers each type once', () => {
  const types = pictureNodes.map(({ type }) => type)

  expect(new Set(types).size).toBe(types.length)
})
