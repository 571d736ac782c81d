import sharp from 'sharp'
import { expect, test } from 'vitest'
import { emptyPicture } from '#server/engine/pictures/picture.ts'
import { previewOf } from './preview-of.ts'

test.each([
  [1000, 500, 256, 128],
  [20, 30, 20, 30],
])('reduces %d x %d pixels to a JPEG of %d x %d', async (width, height, small, low) => {
  const preview = await previewOf(emptyPicture('RGBA', width, height))

  const [kind, data = ''] = preview.dataURL.split(',')
  expect(preview).toMatchObject({ width, height })
  expect(kind).toBe('data:image/jpeg;base64')
  expect(await sharp(Buffer.from(data, 'base64')).metadata()).toMatchObject({
    format: 'jpeg',
    width: small,
    height: low,
  })
})
