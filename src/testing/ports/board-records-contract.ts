import { expect, test } from 'vitest'
import type { Records } from '#server/core/record-ports.ts'
import { addAll, addOnBoard, createBoard, namesOn, newImage, openWithBoard } from './new-image.ts'

const byName = { orderBy: 'board_name', direction: 'ASC', includeArchived: false } as const

/** Tests that every implementation of `BoardRecords` must pass, each with its own `open`. */
export const testBoardRecords = (open: () => Promise<Records>): void => {
  test('creates an empty board with the given fields', async () => {
    const { boards } = await open()

    const created = await boards.create({ board_name: 'Portraits', board_visibility: 'private' })

    expect(created).toMatchObject({ board_name: 'Portraits', is_private: true, image_count: 0 })
    expect(created).toMatchObject({ description: null, starred: null, cover_image_name: null })
    expect(await boards.get(created.board_id)).toEqual(created)
  })

  test('does not return the uncategorized board as a record', async () => {
    const { boards } = await open()

    expect(await boards.get('none')).toBeNull()
    expect(await boards.update('none', { board_name: 'Mine' })).toBeNull()
    expect(await boards.remove('none', { images: 'keep' })).toBeNull()
    expect(await boards.list(byName)).toEqual({ items: [], total: 0 })
  })

  test('lists boards by name without regard to case, in pages with the total', async () => {
    const records = await open()
    for (const name of ['cats', 'Birds', 'ants', 'Birds']) await createBoard(records, name)

    const all = await records.boards.list(byName)
    const page = await records.boards.list({ ...byName, page: { offset: 2, limit: 2 } })

    expect(all.items.map((board) => board.board_name)).toEqual(['ants', 'Birds', 'Birds', 'cats'])
    expect(page.items.map((board) => board.board_name)).toEqual(['Birds', 'cats'])
    expect(page.total).toBe(4)
  })

  test('lists the newest board first when sorted by date', async () => {
    const records = await open()
    for (const name of ['first', 'second']) await createBoard(records, name)

    const { items } = await records.boards.list({
      ...byName,
      orderBy: 'created_at',
      direction: 'DESC',
    })

    expect(items.map((board) => board.board_name)).toEqual(['second', 'first'])
  })

  test('leaves out archived boards unless requested', async () => {
    const { records, board_id: boardId } = await openWithBoard(open)
    await records.boards.update(boardId, { archived: true })

    expect((await records.boards.list(byName)).items).toEqual([])
    expect((await records.boards.list({ ...byName, includeArchived: true })).total).toBe(1)
  })

  test('updates the given fields and leaves the others', async () => {
    const { records, board_id: boardId } = await openWithBoard(open)

    await records.boards.update(boardId, { description: 'Not done', starred: true })
    const updated = await records.boards.update(boardId, { board_name: 'Works', starred: null })

    expect(updated).toMatchObject({ board_name: 'Works', description: 'Not done', starred: true })
  })

  test('keeps privacy and visibility consistent', async () => {
    const { records, board_id: boardId } = await openWithBoard(open)
    const visibilityAfter = async (changes: Parameters<typeof records.boards.update>[1]) => {
      const board = await records.boards.update(boardId, changes)
      return board === null || board === 'cover_image_not_found' ? board : board.board_visibility
    }

    expect(await visibilityAfter({ is_private: true })).toBe('private')
    expect(await visibilityAfter({ is_private: false })).toBe('shared')
    expect(await visibilityAfter({ board_visibility: 'public' })).toBe('public')
    expect(await visibilityAfter({ is_private: false })).toBe('public')
  })

  test('counts images without intermediates, and assets without the general category', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(
      records,
      newImage('general.png', { board_id, image_category: 'general' }),
      newImage('mask.png', { board_id, image_category: 'mask' }),
      newImage('step.png', { board_id, is_intermediate: true }),
    )

    expect(await records.boards.get(board_id)).toMatchObject({ image_count: 2, asset_count: 1 })
  })

  test('uses the first image by starred, then newest, as the cover', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(
      records,
      newImage('old.png', { board_id }),
      newImage('new.png', { board_id }),
      newImage('step.png', { board_id, is_intermediate: true }),
    )
    const coverOf = async () => (await records.boards.get(board_id))?.cover_image_name

    expect(await coverOf()).toBe('new.png')
    await records.images.setStarred(['old.png'], true)
    expect(await coverOf()).toBe('old.png')
  })

  test('uses a chosen cover while it is on the board', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'old.png', 'new.png')

    const updated = await records.boards.update(board_id, { cover_image_name: 'old.png' })
    expect(updated).toMatchObject({ cover_image_name: 'old.png' })

    await records.images.removeFromBoard(['old.png'])
    expect(await records.boards.get(board_id)).toMatchObject({ cover_image_name: 'new.png' })
  })

  test('removes the choice of a cover with an empty name', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'old.png', 'new.png')
    await records.boards.update(board_id, { cover_image_name: 'old.png' })

    const updated = await records.boards.update(board_id, { cover_image_name: '' })

    const automatic = { cover_image_name: 'new.png', chosen_cover_image_name: null }
    expect(updated).toMatchObject(automatic)
  })

  test('accepts a cover in the trash, which is shown when it is restored', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'old.png', 'new.png')
    await records.trash.trashImages(['old.png'])

    const updated = await records.boards.update(board_id, { cover_image_name: 'old.png' })
    const hidden = { cover_image_name: 'new.png', chosen_cover_image_name: 'old.png' }
    expect(updated).toMatchObject(hidden)
    await records.trash.restore({ imageNames: ['old.png'], boardIds: [] })

    expect(await records.boards.get(board_id)).toMatchObject({ cover_image_name: 'old.png' })
  })

  test('changes nothing if the cover is not an image', async () => {
    const { records, board_id: boardId } = await openWithBoard(open)

    const changes = { board_name: 'Other', cover_image_name: 'nowhere.png' }
    expect(await records.boards.update(boardId, changes)).toBe('cover_image_not_found')

    expect(await records.boards.get(boardId)).toMatchObject({ board_name: 'Board' })
  })

  test('stores the position of a board, and removes it with an empty one', async () => {
    const { records, board_id } = await openWithBoard(open)
    expect((await records.boards.get(board_id))?.position).toBeNull()

    const moved = await records.boards.update(board_id, { position: 'a0V' })
    expect(moved).toMatchObject({ position: 'a0V' })
    expect((await records.boards.list(byName)).items).toMatchObject([{ position: 'a0V' }])

    expect(await records.boards.update(board_id, { position: '' })).toMatchObject({
      position: null,
    })
  })

  test('stores when an image was last added or moved to a board', async () => {
    const { records, board_id } = await openWithBoard(open)
    const other = await createBoard(records, 'Other')
    const lastAdded = async (boardId: string) => (await records.boards.get(boardId))?.last_added_at
    expect(await lastAdded(board_id)).toBeNull()

    await addAll(
      records,
      newImage('old.png', { board_id, created_at: 0 }),
      newImage('step.png', { board_id: other, is_intermediate: true }),
    )
    const added = await lastAdded(board_id)
    expect(added).toEqual(expect.not.stringMatching(/^1970/))
    expect(await lastAdded(other)).toBeNull()

    await records.images.addToBoard(['old.png'], other)
    expect(await lastAdded(other)).toEqual(expect.any(String))
    expect(await lastAdded(board_id)).toBe(added)
  })

  test('does not count images as added that return with their board', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'a.png')
    const before = await records.boards.get(board_id)

    await records.trash.trashBoard(board_id, { images: 'keep' })
    await records.trash.restore({ imageNames: [], boardIds: [board_id] })

    expect((await records.boards.get(board_id))?.last_added_at).toBe(before?.last_added_at)
    expect(before?.last_added_at).toEqual(expect.any(String))
  })

  test('removes a board and leaves its images uncategorized, including intermediates', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(
      records,
      newImage('a.png', { board_id }),
      newImage('step.png', { board_id, is_intermediate: true }),
    )

    const removed = await records.boards.remove(board_id, { images: 'keep' })

    expect(removed?.deleted_board_images).toEqual(['step.png', 'a.png'])
    expect(removed?.deleted_images).toEqual([])
    expect(await namesOn(records, 'none')).toEqual(['step.png', 'a.png'])
    expect(await records.boards.get(board_id)).toBeNull()
  })

  test('removes a board with its images and leaves tombstones for their files', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(records, newImage('a.png', { board_id }), 'other.png')

    const removed = await records.boards.remove(board_id, { images: 'delete' })

    expect(removed).toMatchObject({ deleted_images: ['a.png'], deleted_board_images: [] })
    expect(await records.images.get('a.png')).toBeNull()
    expect(await records.upkeep.tombstones(10)).toEqual(['a.png'])
    expect(await namesOn(records, 'none')).toEqual(['other.png'])
  })

  test('returns null for an unknown board', async () => {
    const { boards } = await open()

    expect(await boards.get('nowhere')).toBeNull()
    expect(await boards.update('nowhere', {})).toBeNull()
    expect(await boards.remove('nowhere', { images: 'delete' })).toBeNull()
  })
}
