import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { imageAnswer } from '#testing/fake-fetch.ts'
import { rememberNewImages, withImagesSince } from './new-images-since.ts'

const view = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false } as const
const image = (second: number): ImageRecord => ({
  ...(imageAnswer({ image_name: `${second}.png` }) as ImageRecord),
  created_at: `2026-11-21 07:00:0${second}.000`,
})
const namesIn = ({ items }: { items: readonly (ImageRecord | undefined)[] }) =>
  items.map((record) => record?.image_name)

test('keeps a new image when an earlier answer arrives', () => {
  rememberNewImages([image(1)], 100)
  rememberNewImages([image(3), image(4)], 200)

  const window = withImagesSince(view, { items: [image(3), image(2)], total: 2 }, 150)

  expect(namesIn(window)).toEqual(['4.png', '3.png', '2.png'])
  expect(window.total).toBe(3)
})

test('uses the answer if the position of an image is unknown', () => {
  const answer = { items: [image(2)], total: 1 }

  expect(withImagesSince({ ...view, orderDir: 'ASC' }, answer, 150)).toBe(answer)
})
