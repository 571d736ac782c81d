import { expect, test } from 'vitest'
import type { View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { addAll, everything, listOf, namesIn, newImage, openWithBoard } from './new-image.ts'

const pageNames = async (
  { images }: Records,
  view: Partial<View>,
  window: Parameters<Records['images']['page']>[1],
) => (await images.page({ ...everything, ...view }, window))?.items.map((image) => image.image_name)

/** Tests that every implementation of `ImageRecords` must pass for views: pages, names, positions. */
export const testView = (open: () => Promise<Records>): void => {
  /** Five images, oldest to newest: a, b (starred), c (intermediate), d (starred), e (a mask on a board). */
  const openWithFive = async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(
      records,
      'a.png',
      newImage('b.png', { starred: true }),
      newImage('c.png', { is_intermediate: true }),
      newImage('d.png', { starred: true, image_origin: 'internal' }),
      newImage('e.png', { board_id, image_category: 'mask' }),
    )
    return { records, board_id }
  }

  test.each<[string, Partial<View>, string]>([
    ['newest first', {}, 'e d c b a'],
    ['oldest first', { orderDir: 'ASC' }, 'a b c d e'],
    ['starred first', { starredFirst: true }, 'd b e c a'],
    ['starred first, oldest first', { starredFirst: true, orderDir: 'ASC' }, 'b d a c e'],
    ['without intermediates', { isIntermediate: false }, 'e d b a'],
    ['only intermediates', { isIntermediate: true }, 'c'],
    ['uncategorized', { boardId: 'none' }, 'd c b a'],
    ['an unknown board', { boardId: 'nowhere' }, ''],
    ['two categories', { categories: ['mask', 'control'] }, 'e'],
    ['an empty list of categories', { categories: [] }, 'e d c b a'],
    ['an origin', { imageOrigin: 'internal' }, 'd'],
    ['starred images', { isStarred: true }, 'd b'],
    ['starred images, oldest first', { isStarred: true, orderDir: 'ASC' }, 'b d'],
    ['starred images by size', { isStarred: true, orderBy: 'size' }, 'd b'],
    ['starred images of an origin', { isStarred: true, imageOrigin: 'external' }, 'b'],
    ['starred images of another board', { isStarred: true, boardId: 'nowhere' }, ''],
    ['unstarred images', { isStarred: false }, 'e c a'],
    ['unstarred images with starred ones first', { isStarred: false, starredFirst: true }, 'e c a'],
    ['unstarred images without intermediates', { isStarred: false, isIntermediate: false }, 'e a'],
    ['a category on a board', { boardId: 'none', categories: ['mask'] }, ''],
  ])('reads a view of %s', async (_, view, expected) => {
    const { records } = await openWithFive()

    const names = expected === '' ? [] : expected.split(' ').map((name) => `${name}.png`)
    expect(await namesIn(records, view)).toEqual(names)
    expect(await pageNames(records, view, { offset: 0, limit: -1 })).toEqual(names)
    expect(await pageNames(records, view, { offset: 1, limit: 2 })).toEqual(names.slice(1, 3))
  })

  test('counts starred names only if they come first', async () => {
    const { records } = await openWithFive()

    const starredFirst = await records.images.names({ ...everything, starredFirst: true })
    const plain = await records.images.names(everything)

    expect(starredFirst).toMatchObject({ starred_count: 2, total_count: 5 })
    expect(plain).toMatchObject({ starred_count: 0, total_count: 5 })
  })

  test('returns only the count for limit 0, and no items after the end', async () => {
    const { records } = await openWithFive()
    const { images } = records

    const none = { items: [], total: 5, totalBytes: 5000, videoCount: 0 }
    expect(await images.page(everything, { offset: 0, limit: 0 })).toEqual(none)
    expect(await images.page(everything, { offset: 9, limit: 3 })).toEqual(none)
  })

  test('returns the page after a named image in each order', async () => {
    const { records } = await openWithFive()
    const after = (name: string, view: Partial<View>) =>
      pageNames(records, view, { after: name, limit: 2 })

    expect(await after('d.png', {})).toEqual(['c.png', 'b.png'])
    expect(await after('b.png', { starredFirst: true })).toEqual(['e.png', 'c.png'])
    expect(await after('d.png', { starredFirst: true, orderDir: 'ASC' })).toEqual([
      'a.png',
      'c.png',
    ])
    expect(await after('e.png', { orderDir: 'ASC' })).toEqual([])
    expect(await after('nowhere.png', {})).toBeUndefined()
  })

  test('returns the page after an image that has left the view', async () => {
    const { records, board_id } = await openWithFive()
    await records.images.addToBoard(['b.png'], board_id)

    expect(await pageNames(records, { boardId: 'none' }, { after: 'b.png', limit: 5 })).toEqual([
      'a.png',
    ])
  })

  test('returns positions that match the names of the view', async () => {
    const { records, board_id } = await openWithFive()
    for (const view of [
      everything,
      { ...everything, starredFirst: true },
      { ...everything, starredFirst: true, orderDir: 'ASC' as const },
    ]) {
      for (const [index, name] of (await namesIn(records, view)).entries())
        expect(await records.images.position(view, name)).toEqual({ position: index, total: 5 })
    }
    const onBoard = { ...everything, boardId: board_id }
    expect(await records.images.position(onBoard, 'a.png')).toEqual({ position: null, total: 1 })
    expect(await records.images.position(onBoard, 'nowhere.png')).toBeNull()
  })

  test('follows changes of the star in a view of starred images', async () => {
    const { records } = await openWithFive()
    const starred = { ...everything, isStarred: true }
    expect(await namesIn(records, starred)).toEqual(['d.png', 'b.png'])

    await records.images.setStarred(['a.png'], true)
    await records.images.setStarred(['d.png'], false)

    expect(await namesIn(records, starred)).toEqual(['b.png', 'a.png'])
    expect(await records.images.position(starred, 'a.png')).toEqual({ position: 1, total: 2 })
    expect(await records.images.position(starred, 'd.png')).toEqual({ position: null, total: 2 })
    expect(await pageNames(records, starred, { after: 'd.png', limit: 5 })).toEqual([
      'b.png',
      'a.png',
    ])
    const size = await records.images.page(starred, { offset: 0, limit: 0 })
    expect(size).toEqual({ items: [], total: 2, totalBytes: 2000, videoCount: 0 })
  })

  test('returns correct pages of large filtered views in the middle and at their ends @long', async () => {
    const records = await open()
    const images = Array.from({ length: 25_000 }, (_, at) =>
      newImage(`${at}.png`, {
        starred: at % 2 === 0,
        image_category: at % 10 === 0 ? 'mask' : 'general',
      }),
    )
    await records.images.addMany(images)

    const starred = { isStarred: true, isIntermediate: false } as const
    const middle = ['12490.png', '12488.png', '12486.png']
    expect(await pageNames(records, starred, { offset: 6254, limit: 3 })).toEqual(middle)
    const end = ['2.png', '0.png']
    expect(await pageNames(records, starred, { offset: 12_498, limit: 3 })).toEqual(end)
    const place = await records.images.position({ ...everything, ...starred }, '12490.png')
    expect(place).toEqual({ position: 6254, total: 12_500 })
    const others = { isStarred: false, orderDir: 'ASC' } as const
    expect(await pageNames(records, others, { offset: 6000, limit: 1 })).toEqual(['12001.png'])

    const masks = { categories: ['mask'], isIntermediate: false } as const
    const expected = ['12490.png', '12480.png', '12470.png']
    expect(await pageNames(records, masks, { offset: 1250, limit: 3 })).toEqual(expected)
    expect(await pageNames(records, masks, { offset: 2498, limit: 3 })).toEqual(['10.png', '0.png'])
    expect(await pageNames(records, masks, { after: '12500.png', limit: 3 })).toEqual(expected)
    const rest = await pageNames(records, masks, { after: '12500.png', limit: 2000 })
    expect([rest?.length, rest?.[0], rest?.at(-1)]).toEqual([1250, '12490.png', '0.png'])
    expect(await pageNames(records, {}, { offset: 20_000, limit: 1 })).toEqual(['4999.png'])
  })

  test('sorts images of the same time by id', async () => {
    const records = await open()
    const names = Array.from({ length: 20 }, (_, at) => `${at}.png`)
    await records.images.addMany(names.map((name) => newImage(name, { created_at: 1000 })))

    const newestFirst = await namesIn(records)
    expect(newestFirst).toEqual(names.toReversed())
    expect(await namesIn(records, { orderDir: 'ASC' })).toEqual(names)
    expect(await pageNames(records, {}, { after: '10.png', limit: 2 })).toEqual(['9.png', '8.png'])
  })

  test('returns null for the names of a missing board, but not for none', async () => {
    const { records, board_id } = await openWithFive()
    const { images } = records

    const onBoard = await images.namesOnBoard({ ...everything, boardId: board_id })
    expect(await listOf(onBoard)).toEqual(['e.png'])
    expect(await images.namesOnBoard({ ...everything, boardId: 'nowhere' })).toBeNull()
    const window = { offset: 1, limit: 2 }
    const inWindow = await images.namesOnBoard({ ...everything, boardId: 'none' }, window)
    expect(await listOf(inWindow)).toEqual(['c.png', 'b.png'])
  })

  /** Four images, oldest to newest, including a starred one and an intermediate one. */
  const openWithFiles = async () => {
    const records = await open()
    const at = (date: string) => Date.parse(`${date}Z`)
    await addAll(
      records,
      newImage('w.png', { file_name: 'shot 10.png', file_size: 20, created_at: at('2026-03-01') }),
      newImage('x.png', {
        ...{ file_name: 'Shot 9.png', file_size: 30, starred: true },
        ...{ created_at: at('2026-03-02'), taken_at: at('2019-12-31T23:30') },
      }),
      newImage('y.png', { file_size: 20, created_at: at('2026-03-02'), is_intermediate: true }),
      newImage('z.png', {
        ...{ file_name: 'étude.png', file_size: 10, image_category: 'mask' },
        ...{ created_at: at('2026-03-03'), taken_at: at('2020-01-01T00:30') },
      }),
    )
    return records
  }

  test.each<[string, Partial<View>, string]>([
    ['date taken, or else creation', { orderBy: 'taken_at' }, 'y w z x'],
    ['date taken, oldest first', { orderBy: 'taken_at', orderDir: 'ASC' }, 'x z w y'],
    ['name, descending', { orderBy: 'name' }, 'y w x z'],
    ['name, ascending', { orderBy: 'name', orderDir: 'ASC' }, 'z x w y'],
    ['size, newest of equal sizes first', { orderBy: 'size' }, 'x y w z'],
    ['size, smallest first', { orderBy: 'size', orderDir: 'ASC' }, 'z w y x'],
    ['size, starred first', { orderBy: 'size', starredFirst: true, orderDir: 'ASC' }, 'x z w y'],
    ['name, starred first', { orderBy: 'name', starredFirst: true }, 'x y w z'],
    ['name, one kind', { orderBy: 'name', isIntermediate: false, boardId: 'none' }, 'w x z'],
    ['size, a category', { orderBy: 'size', categories: ['user', 'control'] }, 'x y w'],
  ])('reads a view by %s', async (_, changes, expected) => {
    const records = await openWithFiles()
    const names = expected.split(' ').map((name) => `${name}.png`)
    const view = { ...everything, ...changes }

    expect(await namesIn(records, view)).toEqual(names)
    expect(await pageNames(records, view, { offset: 1, limit: 2 })).toEqual(names.slice(1, 3))
    for (const [position, name] of names.entries()) {
      expect(await pageNames(records, view, { after: name, limit: 9 })).toEqual(
        names.slice(position + 1),
      )
      expect(await records.images.position(view, name)).toEqual({ position, total: names.length })
    }
  })
}
