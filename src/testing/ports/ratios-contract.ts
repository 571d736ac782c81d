import { expect, test } from 'vitest'
import { ratioOf } from '#contract/image-ratio.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { addAll, everything, newImage, prompted } from './new-image.ts'

const view: View = { ...everything, orderBy: 'created_at', orderDir: 'ASC' }

const sumOf = (...sizes: readonly (readonly [number, number])[]) =>
  sizes.reduce((sum, [width, height]) => sum + ratioOf({ width, height }), 0)

/** Tests that every implementation of `ImageRecords` must pass for the ratios of a view. */
export const testRatios = (open: () => Promise<Records>): void => {
  const openWithShapes = async () => {
    const records = await open()
    const shaped = (name: string, width: number, height: number, more = {}) =>
      newImage(name, { width, height, ...more })
    await addAll(
      records,
      shaped('wide.png', 1920, 1080, { created_at: Date.parse('2026-03-01T23:30Z') }),
      shaped('high.png', 2, 3, { created_at: Date.parse('2026-03-02T12:00Z'), starred: true }),
      shaped('line.png', 9000, 3, {
        created_at: Date.parse('2026-03-02T13:00Z'),
        ...prompted('a castle'),
      }),
      shaped('pole.png', 3, 9000, {
        created_at: Date.parse('2026-03-04T12:00Z'),
        image_category: 'mask',
      }),
    )
    return records
  }

  test('sums the ratios of a view as the contract rounds them', async () => {
    const { images } = await openWithShapes()

    const sum = sumOf([1920, 1080], [2, 3], [9000, 3], [3, 9000])
    expect(await images.ratios(view, null)).toEqual({
      groups: [{ day: null, count: 4, sums: [sum] }],
    })
  })

  test('sums 200 images at a time, in the order of the view', async () => {
    const records = await open()
    const square = Array.from({ length: 250 }, (_, at) =>
      newImage(`${at}.png`, { width: 9, height: 9, created_at: at }),
    )
    await records.images.addMany([...square, newImage('last.png', { width: 20, height: 10 })])

    expect(await records.images.ratios(view, null)).toEqual({
      groups: [{ day: null, count: 251, sums: [200 * 60, 50 * 60 + 120] }],
    })
    expect(await records.images.ratios({ ...view, orderDir: 'DESC' }, null)).toEqual({
      groups: [{ day: null, count: 251, sums: [199 * 60 + 120, 51 * 60] }],
    })
  })

  test('divides a view by the days of a time zone and its starred images', async () => {
    const { images } = await openWithShapes()

    expect(await images.ratios({ ...view, starredFirst: true }, 'Europe/Berlin')).toEqual({
      groups: [
        { day: 'starred', count: 1, sums: [sumOf([2, 3])] },
        { day: '2026-03-02', count: 2, sums: [sumOf([1920, 1080], [9000, 3])] },
        { day: '2026-03-04', count: 1, sums: [sumOf([3, 9000])] },
      ],
    })
  })

  test.each<[string, Partial<View>, readonly (readonly [number, number])[]]>([
    ['a filter', { categories: ['mask'] }, [[3, 9000]]],
    ['a search', { query: 'castle' }, [[9000, 3]]],
    [
      'the order by name',
      { orderBy: 'name' },
      [
        [2, 3],
        [9000, 3],
        [3, 9000],
        [1920, 1080],
      ],
    ],
  ])('sums a view with %s', async (_, changes, sizes) => {
    const { images } = await openWithShapes()

    expect(await images.ratios({ ...view, ...changes }, null)).toEqual({
      groups: [{ day: null, count: sizes.length, sums: [sumOf(...sizes)] }],
    })
  })

  test('has no groups for an empty view', async () => {
    const { images } = await openWithShapes()

    expect(await images.ratios({ ...view, boardId: 'nowhere' }, null)).toEqual({ groups: [] })
  })

  test('updates the sums after images were deleted and others took their place', async () => {
    const records = await openWithShapes()
    await records.images.ratios(view, null)

    await records.images.remove(['pole.png', 'line.png'])
    await addAll(records, newImage('new.png', { width: 30, height: 10, created_at: Date.now() }))

    expect(await records.images.ratios(view, null)).toEqual({
      groups: [{ day: null, count: 3, sums: [sumOf([1920, 1080], [2, 3], [30, 10])] }],
    })
  })
}
