import { expect, test } from 'vitest'
import { imageUrls } from './image-urls.ts'

test('returns the URLs of any name', () => {
  expect(imageUrls('a b.png')).toEqual({
    image_name: 'a b.png',
    image_url: 'api/v1/images/i/a%20b.png/full',
    thumbnail_url: 'api/v1/images/i/a%20b.png/thumbnail',
  })
})
