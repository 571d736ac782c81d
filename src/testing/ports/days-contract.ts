import { expect, test } from 'vitest'
import type { DatedView } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { addAll, everything, newImage, prompted } from './new-image.ts'

const view: DatedView = { ...everything, orderBy: 'taken_at', orderDir: 'ASC' }

const at = (time: string) => Date.parse(`${time}Z`)

/** Returns days as `2026-03-01: 2`. */
const daysIn = async ({ images }: Records, changes: Partial<DatedView> = {}, timeZone = 'UTC') => {
  const { days } = await images.days({ ...view, ...changes }, timeZone)
  return days.map(({ day, count }) => `${day}: ${count}`)
}

/** Tests that every implementation of `ImageRecords` must pass for the days of a view. */
export const testDays = (open: () => Promise<Records>): void => {
  const openWithDates = async () => {
    const records = await open()
    const taken = (name: string, time: string, more = {}) =>
      newImage(name, { taken_at: at(time), created_at: at('2026-05-05'), ...more })
    await addAll(
      records,
      taken('old.png', '1969-07-20T20:17'),
      taken('winter.png', '2026-03-28T23:30', prompted('a castle')),
      taken('summer.png', '2026-03-29T22:30', { ...prompted('a castle'), starred: true }),
      taken('step.png', '2026-03-29T23:59', { is_intermediate: true }),
      newImage('plain.png', { created_at: at('2026-05-05T12:00'), image_category: 'mask' }),
    )
    return records
  }

  test('counts days by the midnights of the time zone, across a clock change', async () => {
    const records = await openWithDates()

    expect(await daysIn(records)).toEqual([
      ...['1969-07-20: 1', '2026-03-28: 1', '2026-03-29: 2', '2026-05-05: 1'],
    ])
    expect(await daysIn(records, { orderDir: 'DESC' }, 'Europe/Berlin')).toEqual([
      ...['2026-05-05: 1', '2026-03-30: 2', '2026-03-29: 1', '1969-07-20: 1'],
    ])
    expect(await daysIn(records, { orderBy: 'created_at' })).toEqual(['2026-05-05: 5'])
  })

  test('counts only images that match the filter or search', async () => {
    const records = await openWithDates()

    expect(await daysIn(records, { categories: ['mask'] })).toEqual(['2026-05-05: 1'])
    expect(await daysIn(records, { isIntermediate: true })).toEqual(['2026-03-29: 1'])
    expect(await daysIn(records, { query: 'castle' })).toEqual(['2026-03-28: 1', '2026-03-29: 1'])
    expect(await daysIn(records, { query: 'castle', starredFirst: true })).toEqual([
      '2026-03-28: 1',
    ])
    expect(await daysIn(records, { query: 'quokka' })).toEqual([])
    expect(await daysIn(records, { boardId: 'nowhere' })).toEqual([])
  })

  test('counts starred images separately if they come first', async () => {
    const records = await openWithDates()
    const starredFirst = { ...view, starredFirst: true, isIntermediate: false }

    expect(await records.images.days(starredFirst, 'UTC')).toEqual({
      starred_count: 1,
      days: [
        { day: '1969-07-20', count: 1 },
        { day: '2026-03-28', count: 1 },
        { day: '2026-05-05', count: 1 },
      ],
    })
  })

  test('counts the days of starred images, also if starred images come first', async () => {
    const records = await openWithDates()
    const plain = await records.images.days({ ...view, isStarred: true }, 'UTC')

    expect(plain).toMatchObject({ starred_count: 0 })
    expect(plain.days.reduce((sum, { count }) => sum + count, 0)).toBe(1)
    expect(
      await records.images.days({ ...view, isStarred: true, starredFirst: true }, 'UTC'),
    ).toEqual(plain)
    expect(await daysIn(records, { isStarred: false, query: 'castle' })).toEqual(['2026-03-28: 1'])
  })

  test('updates the days after a change', async () => {
    const records = await openWithDates()
    await daysIn(records)

    await records.trash.trashImages(['old.png', 'winter.png'])

    expect(await daysIn(records)).toEqual(['2026-03-29: 2', '2026-05-05: 1'])
  })
}
