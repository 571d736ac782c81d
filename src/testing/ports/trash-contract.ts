import { expect, test } from 'vitest'
import type { TrashOrder } from '#contract/trash-operations.ts'
import type { Records } from '#server/core/record-ports.ts'
import {
  addAll,
  addOnBoard,
  createBoard,
  everything,
  namesIn,
  namesOn,
  newImage,
  openWithBoard,
  prompted,
} from './new-image.ts'

const trashed = async ({ trash }: Records) =>
  (await trash.page({ offset: 0, limit: 100 })).items.map((image) => image.image_name)

const restoreImages = ({ trash }: Records, ...imageNames: string[]) =>
  trash.restore({ imageNames, boardIds: [] })

const restoreBoard = ({ trash }: Records, boardId: string) =>
  trash.restore({ imageNames: [], boardIds: [boardId] })

/** Three images in the trash, by each order in its descending direction. */
const orders = {
  deleted_at: ['b.png', 'c.png', 'a.png'],
  created_at: ['c.png', 'b.png', 'a.png'],
  taken_at: ['a.png', 'c.png', 'b.png'],
  name: ['a.png', 'c.png', 'b.png'],
  size: ['c.png', 'b.png', 'a.png'],
} as const satisfies Record<TrashOrder, readonly string[]>

/** Tests that every implementation of `TrashRecords` must pass. */
export const testTrash = (open: (clock?: () => number) => Promise<Records>): void => {
  test('hides a trashed image from all views, and restores its board and star', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(records, newImage('a.png', { board_id, starred: true }), 'b.png')

    const result = await records.trash.trashImages(['a.png', 'x.png'])
    expect(result).toMatchObject({ affected_boards: [board_id], trashed_images: ['a.png'] })
    expect(result.failed_images).toEqual(['x.png'])
    expect(await namesIn(records)).toEqual(['b.png'])
    expect(await records.boards.get(board_id)).toMatchObject({ image_count: 0 })

    const restored = await restoreImages(records, 'a.png', 'b.png')
    expect(restored.restored_images).toEqual(['a.png'])
    expect(restored.affected_boards).toEqual([board_id])
    expect(await records.images.get('a.png')).toMatchObject({ board_id, starred: true })
    expect(await namesIn(records)).toEqual(['b.png', 'a.png'])
  })

  test('changes every image of a long list', async () => {
    const { records, board_id } = await openWithBoard(open)
    const { images, trash } = records
    const names = Array.from({ length: 1_201 }, (_, at) => `${at}.png`)
    await images.addMany(names.map((name, at) => newImage(name, { created_at: at })))

    await images.setStarred(names, true)
    expect((await images.names({ ...everything, starredFirst: true })).starred_count).toBe(1_201)
    await images.addToBoard(names, board_id)
    expect(await records.boards.get(board_id)).toMatchObject({ image_count: 1_201 })
    await trash.trashImages(names)
    expect((await trash.page({ offset: 0, limit: 1 })).total).toBe(1_201)
    await restoreImages(records, ...names)
    expect((await namesOn(records, board_id)).toReversed()).toEqual(names)
    await trash.trashBoard(board_id, { images: 'trash' })
    expect((await trash.page({ offset: 0, limit: 1 })).total).toBe(1_201)
    expect((await images.remove(names)).deleted_images.toSorted()).toEqual(names.toSorted())
    expect((await trash.page({ offset: 0, limit: 1 })).total).toBe(0)
  })

  test.each(Object.entries(orders))('sorts by %s, in both directions', async (order, names) => {
    let now = 1_000
    const records = await open(() => now)
    await addAll(
      records,
      newImage('a.png', { created_at: 1, file_size: 1, file_name: 'x10.png', taken_at: 9 }),
      newImage('b.png', { created_at: 2, file_size: 2, file_name: 'X2.png' }),
      newImage('c.png', { created_at: 3, file_size: 2, file_name: 'x3.png' }),
    )
    for (const name of ['a.png', 'c.png', 'b.png']) {
      now += 1
      await records.trash.trashImages([name])
    }
    const sorted = async (orderDir: 'ASC' | 'DESC', offset = 0) => {
      const orderBy = order as TrashOrder
      const window = { offset, limit: 2, orderBy, orderDir }
      return (await records.trash.page(window)).items.map(({ image_name }) => image_name)
    }

    expect([...(await sorted('DESC')), ...(await sorted('DESC', 2))]).toEqual(names)
    expect(await sorted('ASC')).toEqual(names.toReversed().slice(0, 2))
  })

  test('sums up the sizes of the images in the trash', async () => {
    const records = await open()
    const sized = { offset: 0, limit: 0, includeSize: true }
    expect(await records.trash.page(sized)).toMatchObject({ total: 0, total_bytes: 0 })
    await addAll(
      records,
      newImage('a.png', { file_size: 5 }),
      newImage('b.png', { file_size: 7 }),
      newImage('c.png', { file_size: 11 }),
    )
    await records.trash.trashImages(['a.png', 'c.png'])

    expect(await records.trash.page(sized)).toMatchObject({ total: 2, total_bytes: 16 })
    expect(await records.trash.page({ offset: 0, limit: 0 })).not.toHaveProperty('total_bytes')
  })

  test('accepts trashing an image twice, and changes nothing the second time', async () => {
    const records = await open()
    await addAll(records, 'a.png')
    await records.trash.trashImages(['a.png'])
    const before = await records.images.get('a.png')

    expect(await records.trash.trashImages(['a.png'])).toMatchObject({
      affected_boards: [],
      trashed_images: ['a.png'],
      failed_images: [],
    })
    expect(await records.images.get('a.png')).toEqual(before)
  })

  test('changes an image in the trash only by deletion', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(records, newImage('a.png', prompted('castle')))
    await records.trash.trashImages(['a.png'])
    const { images } = records

    expect(await images.addToBoard(['a.png'], board_id)).toMatchObject({ added_images: [] })
    expect(await images.setStarred(['a.png'], true)).toMatchObject({ image_names: [] })
    expect(await images.update('a.png', { starred: true })).toBeNull()
    expect(await namesIn(records, { query: 'castle' })).toEqual([])
    expect(await images.remove(['a.png'])).toMatchObject({ deleted_images: ['a.png'] })
    expect(await trashed(records)).toEqual([])
  })

  test('lists the trash by page, most recently trashed first', async () => {
    let now = 1_000_000
    const records = await open(() => now)
    await addAll(records, 'a.png', 'b.png', 'c.png')
    for (const name of ['b.png', 'c.png', 'a.png']) {
      now += 1
      await records.trash.trashImages([name])
    }

    expect(await trashed(records)).toEqual(['a.png', 'c.png', 'b.png'])
    const page = await records.trash.page({ offset: 1, limit: 1 })
    expect(page.items.map((image) => image.image_name)).toEqual(['c.png'])
    expect(page.total).toBe(3)
  })

  test('restores a trashed board with its kept images, except those moved since', async () => {
    const { records, board_id } = await openWithBoard(open)
    const other = await createBoard(records, 'Other')
    await addOnBoard(records, board_id, 'a.png', 'b.png', 'c.png')

    const result = await records.trash.trashBoard(board_id, { images: 'keep' })
    expect(result).toMatchObject({ trashed_boards: [board_id], trashed_images: [] })
    expect(result?.kept_images).toEqual(['c.png', 'b.png', 'a.png'])
    expect(await records.boards.get(board_id)).toBeNull()
    expect(await namesOn(records, 'none')).toEqual(['c.png', 'b.png', 'a.png'])
    await records.images.addToBoard(['b.png'], other)
    await records.images.removeFromBoard(['c.png'])

    const restored = await restoreBoard(records, board_id)
    expect(restored.restored_boards).toEqual([board_id])
    expect(restored.returned_images).toEqual(['a.png'])
    expect(restored.affected_boards.sort()).toEqual([board_id, 'none'].sort())
    expect(await namesOn(records, board_id)).toEqual(['a.png'])
    expect(await namesOn(records, other)).toEqual(['b.png'])
    expect(await namesOn(records, 'none')).toEqual(['c.png'])
  })

  test('restores images that were trashed with the board, but none trashed before', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'before.png', 'along.png')
    await records.trash.trashImages(['before.png'])

    const result = await records.trash.trashBoard(board_id, { images: 'trash' })
    expect(result?.trashed_images).toEqual(['along.png'])
    const { boards } = await records.trash.page({ offset: 0, limit: 0 })
    expect(boards).toMatchObject([{ board_id, image_count: 1, cover_image_name: 'along.png' }])

    expect((await restoreBoard(records, board_id)).restored_images).toEqual(['along.png'])
    expect(await namesOn(records, board_id)).toEqual(['along.png'])
    await restoreImages(records, 'before.png')
    expect(await namesOn(records, board_id)).toEqual(['along.png', 'before.png'])
  })

  test('trashes a board in parts, and the board itself with its last images', async () => {
    const { records, board_id } = await openWithBoard(open)
    const names = ['a.png', 'b.png', 'c.png']
    await addOnBoard(records, board_id, ...names)
    const trashPart = () => records.trash.trashBoard(board_id, { images: 'trash', maxImages: 2 })

    expect(await trashPart()).toMatchObject({
      trashed_images: ['c.png', 'b.png'],
      trashed_boards: [],
    })
    expect(await records.boards.get(board_id)).toMatchObject({ image_count: 1 })
    expect(await trashed(records)).toEqual(['c.png', 'b.png'])
    expect(await trashPart()).toMatchObject({
      trashed_images: ['a.png'],
      trashed_boards: [board_id],
    })
    expect(await records.boards.get(board_id)).toBeNull()

    expect(await restoreBoard(records, board_id)).toMatchObject({ restored_boards: [board_id] })
    expect(await namesOn(records, board_id)).toEqual(['c.png', 'b.png', 'a.png'])
  })

  test.for(['trash', 'keep'] as const)(
    'restores the trashed part (%s) of a board',
    async (images) => {
      const { records, board_id } = await openWithBoard(open)
      await addOnBoard(records, board_id, 'before.png', 'a.png', 'b.png')
      await records.trash.trashImages(['before.png'])
      await records.trash.trashBoard(board_id, { images, maxImages: 1 })
      expect(await namesOn(records, board_id)).toEqual(['a.png'])

      expect(await restoreBoard(records, board_id)).toMatchObject({ restored_boards: [] })

      expect(await namesOn(records, board_id)).toEqual(['b.png', 'a.png'])
      expect(await trashed(records)).toEqual(['before.png'])
    },
  )

  test.for(['trash', 'keep'] as const)('restores a trashed board (%s) in parts', async (images) => {
    const { records, board_id } = await openWithBoard(open)
    const names = ['a.png', 'b.png', 'c.png']
    await addOnBoard(records, board_id, ...names)
    await records.trash.trashBoard(board_id, { images })
    const restorePart = () =>
      records.trash.restore({ imageNames: [], boardIds: [board_id], maxImagesOfBoard: 2 })

    expect(await restorePart()).toMatchObject({ restored_boards: [board_id] })
    expect(await namesOn(records, board_id)).toHaveLength(2)
    expect((await restorePart()).affected_boards).toContain(board_id)
    expect(await namesOn(records, board_id)).toEqual(['c.png', 'b.png', 'a.png'])
    expect(await restorePart()).toEqual({
      affected_boards: [],
      restored_images: [],
      restored_boards: [],
      returned_images: [],
      images_by_board: [],
    })
  })

  test('trashes an image separately after it was restored separately', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'a.png', 'b.png')
    await records.trash.trashBoard(board_id, { images: 'trash', maxImages: 1 })
    await restoreImages(records, 'b.png')
    await records.trash.trashImages(['b.png'])

    await records.trash.trashBoard(board_id, { images: 'trash' })
    await restoreBoard(records, board_id)

    expect(await namesOn(records, board_id)).toEqual(['a.png'])
    expect(await trashed(records)).toEqual(['b.png'])
  })

  test('restores an image as uncategorized while its board is in the trash', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'a.png')
    await records.trash.trashBoard(board_id, { images: 'trash' })

    expect(await restoreImages(records, 'a.png')).toMatchObject({ affected_boards: ['none'] })
    expect(await namesOn(records, 'none')).toEqual(['a.png'])
    await restoreBoard(records, board_id)
    expect(await namesOn(records, board_id)).toEqual(['a.png'])
  })

  test('shows the deleted board of an image that is trashed again', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'a.png')
    await records.trash.trashBoard(board_id, { images: 'trash' })
    await restoreImages(records, 'a.png')
    expect(await records.images.get('a.png')).toMatchObject({ board_id: null })

    await records.trash.trashImages(['a.png'])

    expect(await records.images.get('a.png')).toMatchObject({ board_id })
    await restoreImages(records, 'a.png')
    await restoreBoard(records, board_id)
    expect(await namesOn(records, board_id)).toEqual(['a.png'])
  })

  test('restores images to another board, and an undo returns them to theirs', async () => {
    const { records, board_id } = await openWithBoard(open)
    const gone = await createBoard(records, 'Gone')
    const target = await createBoard(records, 'Target')
    await addOnBoard(records, board_id, 'a.png')
    await addOnBoard(records, gone, 'b.png')
    await addAll(records, 'c.png')
    const names = ['a.png', 'b.png', 'c.png']
    const boards = async () =>
      (await Promise.all(names.map((name) => records.images.get(name)))).map(
        (image) => image?.board_id,
      )
    await records.trash.trashImages(names)
    await records.trash.trashBoard(gone, { images: 'trash' })

    const restored = await records.trash.restoreTo(target, names)
    expect(restored?.affected_boards).toEqual([target])
    expect(restored?.restored_images.toSorted()).toEqual(names)
    expect(await boards()).toEqual([target, target, target])
    expect((await records.trash.page({ offset: 0, limit: 0 })).boards).toMatchObject([
      { image_count: 0 },
    ])
    await records.trash.trashImages(names, { undoesRestore: true })
    expect(await boards()).toEqual([board_id, gone, null])
    await records.trash.restoreTo('none', names)
    expect(await boards()).toEqual([null, null, null])
  })

  test('keeps images in the trash if the board to restore them to does not exist', async () => {
    const records = await open()
    await addAll(records, 'a.png')
    await records.trash.trashImages(['a.png'])

    expect(await records.trash.restoreTo('unknown', ['a.png'])).toBeNull()

    expect(await trashed(records)).toEqual(['a.png'])
  })

  test('restores an image as uncategorized after its board was deleted', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'a.png')
    await records.trash.trashImages(['a.png'])
    await records.boards.remove(board_id, { images: 'delete' })

    expect(await restoreImages(records, 'a.png')).toMatchObject({
      restored_images: ['a.png'],
      images_by_board: [{ board_id: 'none', image_names: ['a.png'] }],
    })
    expect(await namesOn(records, 'none')).toEqual(['a.png'])
  })

  test('does not trash, delete, return or fill a board in the trash', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(records, 'a.png')
    await records.trash.trashBoard(board_id, { images: 'keep' })

    expect(await records.trash.trashBoard(board_id, { images: 'keep' })).toBeNull()
    expect(await records.trash.trashBoard('none', { images: 'trash' })).toBeNull()
    expect(await records.boards.remove(board_id, { images: 'keep' })).toBeNull()
    expect(await records.images.addToBoard(['a.png'], board_id)).toBeNull()
    expect(await records.images.add(newImage('b.png', { board_id }))).toBe('board_not_found')
    expect(await namesIn(records, { boardId: board_id })).toEqual([])
  })

  test('permanently removes older entries in a purge, and leaves tombstones', async () => {
    let now = 1_000_000
    const records = await open(() => now)
    const old = await createBoard(records, 'Old')
    await addAll(records, newImage('old.png', { board_id: old }), 'new.png', 'live.png')
    await records.trash.trashBoard(old, { images: 'trash' })
    now += 1000
    await records.trash.trashImages(['new.png'])

    expect(await records.trash.purge(now)).toEqual({ deleted_images: 1, deleted_boards: 1 })
    expect(await records.upkeep.tombstones(9)).toEqual(['old.png'])
    expect(await trashed(records)).toEqual(['new.png'])
    expect(await restoreBoard(records, old)).toMatchObject({ restored_boards: [] })
    expect(await records.trash.purge(now + 1)).toEqual({ deleted_images: 1, deleted_boards: 0 })
    expect(await namesIn(records)).toEqual(['live.png'])
  })
}
