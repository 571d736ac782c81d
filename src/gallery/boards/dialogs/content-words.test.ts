import { expect, test } from 'vitest'
import { contentOf, thingsOf } from './content-words.ts'

test.each([
  [0, 0, '0 images', 'images'],
  [12, 0, '12 images', 'images'],
  [0, 1, '1 video', 'videos'],
  [1, 3, '1 image and 3 videos', 'images and videos'],
])('names %i images and %i videos', (image_count, video_count, content, things) => {
  expect(contentOf({ image_count, video_count })).toBe(content)
  expect(thingsOf({ image_count, video_count })).toBe(things)
})
