import { expect, test } from 'vitest'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'
import { colorChannels } from './change-channel.ts'

const rgba = (...pixel: number[]) => pictureOf('RGBA', [[pixel]])

test.each<[string, number, number[], number[]]>([
  ['Red (RGBA)', 100, [200, 1, 2, 3], [255, 1, 2, 3]],
  ['Green (RGBA)', -100, [1, 90, 2, 3], [1, 0, 2, 3]],
  ['Blue (RGBA)', 10, [1, 2, 30, 3], [1, 2, 40, 3]],
  ['Alpha (RGBA)', -55, [1, 2, 3, 255], [1, 2, 3, 200]],
  // More ink absorbs light. Black absorbs it in all channels.
  ['Cyan (CMYK)', 255, [255, 255, 255, 9], [0, 255, 255, 9]],
  ['Magenta (CMYK)', 55, [255, 255, 255, 9], [255, 200, 255, 9]],
  ['Yellow (CMYK)', -55, [255, 255, 100, 9], [255, 255, 155, 9]],
  ['Black (CMYK)', 51, [255, 255, 255, 9], [204, 204, 204, 9]],
  // Two thirds of the color circle, in the long and the short direction.
  ['Hue (HSV)', 170, [255, 0, 0, 9], [0, 0, 255, 9]],
  ['Hue (HSV)', -86, [255, 0, 0, 9], [0, 0, 255, 9]],
  ['Saturation (HSV)', -255, [255, 0, 0, 9], [255, 255, 255, 9]],
  ['Value (HSV)', 50, [100, 100, 100, 9], [150, 150, 150, 9]],
  ['Luminosity (LAB)', 255, [0, 0, 0, 9], [255, 255, 255, 9]],
  ['Luminosity (LAB)', -255, [119, 119, 119, 9], [0, 0, 0, 9]],
  ['Y (YCbCr)', 20, [100, 100, 100, 9], [120, 120, 120, 9]],
  // 1.772 and 0.344 of 50; 1.402 and 0.714 of 50
  ['Cb (YCbCr)', 50, [100, 100, 100, 9], [100, 82, 188, 9]],
  ['Cr (YCbCr)', 50, [100, 100, 100, 9], [170, 64, 100, 9]],
])('%s shifted by %d turns %j into %j', async (channel, offset, from, to) => {
  const moved = await runPictureNode('img_channel_offset', {
    image: rgba(...from),
    channel,
    offset,
  })

  expect(rowsOf(moved)).toEqual([[to]])
})

test.each([
  ['A (LAB)', 40, 0, 1],
  ['B (LAB)', 40, 0, 2],
])(
  '%s shifted up by %d strengthens channel %d and weakens %d',
  async (channel, offset, up, down) => {
    const image = rgba(120, 120, 120, 9)

    const { data } = await runPictureNode('img_channel_offset', { image, channel, offset })

    expect(data[up]).toBeGreaterThan(130)
    expect(data[down]).toBeLessThan(100)
    expect(data[3]).toBe(9)
  },
)

test.each<[string, number, boolean, number[], number[]]>([
  ['Red (RGBA)', 0.5, false, [201, 1, 2, 3], [100, 1, 2, 3]],
  ['Green (RGBA)', 3, false, [1, 100, 2, 3], [1, 255, 2, 3]],
  // Scaled and clamped first, then inverted.
  ['Green (RGBA)', 3, true, [1, 100, 2, 3], [1, 0, 2, 3]],
  ['Alpha (RGBA)', 1, true, [1, 2, 3, 55], [1, 2, 3, 200]],
  ['Cyan (CMYK)', 0.5, false, [55, 255, 255, 9], [155, 255, 255, 9]],
  ['Saturation (HSV)', 0, false, [255, 0, 0, 9], [255, 255, 255, 9]],
  ['Value (HSV)', 0.5, false, [200, 200, 200, 9], [100, 100, 100, 9]],
  ['Y (YCbCr)', 1, true, [100, 100, 100, 9], [155, 155, 155, 9]],
  // Gray has a = b = 0 in Lab, so scaling does not change it.
  ['A (LAB)', 0.5, false, [119, 119, 119, 9], [119, 119, 119, 9]],
  ['B (LAB)', 3, false, [255, 255, 255, 9], [255, 255, 255, 9]],
])(
  '%s times %d (inverted: %s) turns %j into %j',
  async (channel, scale, invert_channel, from, to) => {
    const inputs = { image: rgba(...from), channel, scale, invert_channel }

    expect(rowsOf(await runPictureNode('img_channel_multiply', inputs))).toEqual([[to]])
  },
)

test.each(colorChannels)(
  '%s without a change returns the picture except for rounding',
  async (channel) => {
    const image = pictureOf('RGBA', [
      [
        [200, 100, 50, 255],
        [60, 90, 180, 0],
        [128, 128, 128, 77],
      ],
    ])

    for (const type of ['img_channel_offset', 'img_channel_multiply']) {
      const { data } = await runPictureNode(type, { image, channel })

      const farthest = Math.max(...data.map((value, at) => Math.abs(value - (image.data[at] ?? 0))))
      expect(farthest).toBeLessThanOrEqual(3)
      expect([data[3], data[7], data[11]]).toEqual([255, 0, 77])
    }
  },
)

test('has seventeen channels', () => {
  expect(new Set(colorChannels).size).toBe(17)
})

test('converts grayscale to RGBA', async () => {
  const image = pictureOf('L', [[100]])

  const moved = await runPictureNode('img_channel_offset', {
    image,
    channel: 'Red (RGBA)',
    offset: 5,
  })

  expect(moved).toEqual(rgba(105, 100, 100, 255))
})
