import sharp from 'sharp'
import { expect, test } from 'vitest'
import { emptyPicture } from '#server/engine/pictures/picture.ts'
import { previewOf } from './preview-of.ts'

const signal = new AbortController().signal

test.each([
  [1000, 500, 256, 128],
  [20, 30, 20, 30],
])(
  'makes a JPEG of %3$d x %4$d from %1$d x %2$d pixels, with the size of the original',
  async (width, height, small, low) => {
    const preview = await previewOf(emptyPicture('RGBA', width, height), signal)

    const [kind, data = ''] = preview.dataURL.split(',')
    expect(preview).toMatchObject({ width, height })
    expect(kind).toBe('data:image/jpeg;base64')
    expect(await sharp(Buffer.from(data, 'base64')).metadata()).toMatchObject({
      format: 'jpeg',
      width: small,
      height: low,
    })
  },
)
