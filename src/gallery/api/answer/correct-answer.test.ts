import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { imageAnswer } from '#testing/fake-fetch.ts'
import { type Corrections, correctAnswer } from './correct-answer.ts'
import { RemovalPositions } from './removal-positions.ts'

const view: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }
const image = (second: number): ImageRecord => ({
  ...(imageAnswer({ image_name: `${second}.png` }) as ImageRecord),
  created_at: `2026-11-21 07:00:0${second}.000`,
})

/** Returns the window that the page shows after an answer with some images. */
function corrected(images: readonly ImageRecord[], corrections: Partial<Corrections>, of = view) {
  const records = new Map(images.entries())
  const { items, total } = correctAnswer(
    { view: of, index: 0, records, total: images.length },
    { removals: new RemovalPositions(), changes: [], newImages: [], ...corrections },
  )
  return { names: items.map((record) => record?.image_name), items, total }
}

test('shows an answer as it is without corrections', () => {
  expect(corrected([image(2), image(1)], {})).toMatchObject({
    names: ['2.png', '1.png'],
    total: 2,
  })
})

test('leaves out images with a pending removal', () => {
  const removals = new RemovalPositions()
  removals.add(['2.png'], [1])

  const { names, total } = corrected([image(3), image(2), image(1)], { removals })

  expect(names).toEqual(['3.png', '1.png'])
  expect(total).toBe(2)
})

test('applies pending changes in their order', () => {
  const changes = [true, false].map((starred) => ({
    names: new Set(['1.png']),
    change: { starred },
  }))

  const { items } = corrected([{ ...image(1), starred: true }], { changes })

  expect(items[0]?.starred).toBe(false)
})

test('inserts new images that the answer does not contain', () => {
  const newImages = [image(3), image(4)]

  const { names, total } = corrected([image(3), image(2)], { newImages })

  expect(names).toEqual(['4.png', '3.png', '2.png'])
  expect(total).toBe(3)
})

test('shows the answer if the position of a new image is unknown', () => {
  const { names } = corrected([image(2)], { newImages: [image(3)] }, { ...view, orderDir: 'ASC' })

  expect(names).toEqual(['2.png'])
})

test('applies all corrections to one answer', () => {
  const removals = new RemovalPositions()
  removals.add(['2.png'], [0])

  const { names, items } = corrected([image(2), image(1)], {
    removals,
    changes: [{ names: new Set(['1.png']), change: { starred: true } }],
    newImages: [image(3)],
  })

  expect(names).toEqual(['3.png', '1.png'])
  expect(items[1]?.starred).toBe(true)
})
