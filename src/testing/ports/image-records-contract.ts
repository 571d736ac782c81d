import { expect, test } from 'vitest'
import type { Records } from '#server/core/record-ports.ts'
import {
  addAll,
  addOnBoard,
  createBoard,
  jsonOf,
  namesIn,
  namesOn,
  newImage,
  normalOf,
  openWithBoard,
  piecesOf,
} from './new-image.ts'

/** Tests that every implementation of `ImageRecords` must pass for single images and lists of names. */
export const testImageRecords = (open: () => Promise<Records>): void => {
  test('returns an added image as an API record', async () => {
    const { records, board_id } = await openWithBoard(open)
    const image = newImage('cat.png', {
      board_id,
      created_at: Date.UTC(2026, 4, 3, 2, 1, 0, 7),
      file_name: 'My cat.png',
      is_animated: true,
      metadata: { workflow: '{}', invokeai: '{}' },
    })

    const added = await records.images.add(image)

    const record = await records.images.get('cat.png')
    expect(added).toEqual({ image: record, isRepeat: false })
    expect(record).toMatchObject({
      image_url: 'api/v1/images/i/cat.png/full',
      created_at: '2026-05-03 02:01:00.007',
      board_id,
      file_name: 'My cat.png',
      has_workflow: true,
      content_hash: '5'.repeat(64),
      thumbhash: 'AQID',
      is_animated: true,
      generator: 'invokeai',
      deleted_at: null,
    })
  })

  test('does not add an image for a missing board', async () => {
    const { images } = await open()

    expect(await images.add(newImage('a.png', { board_id: 'nowhere' }))).toBe('board_not_found')
    expect(await images.add(newImage('a.png', { board_id: 'none' }))).toBe('board_not_found')
    expect(await images.get('a.png')).toBeNull()
  })

  test('returns the existing image for a repeated upload_id', async () => {
    const { images } = await open()
    await images.add(newImage('first.png', { upload_id: 'drop-1' }))

    const repeat = await images.add(newImage('second.png', { upload_id: 'drop-1' }))

    expect(repeat).toMatchObject({ image: { image_name: 'first.png' }, isRepeat: true })
    expect(await images.get('second.png')).toBeNull()
    expect(await images.getByUploadId('drop-1')).toMatchObject({ image_name: 'first.png' })
    expect(await images.getByUploadId('drop-2')).toBeNull()
  })

  test('adds concurrent images independently of each other’s failures', async () => {
    const { images } = await open()
    const add = (imageName: string, changes = {}) => images.add(newImage(imageName, changes))

    const [, first, repeat, nowhere, sameName, last] = await Promise.allSettled([
      add('running.png'),
      add('first.png', { upload_id: 'drop-1' }),
      add('second.png', { upload_id: 'drop-1' }),
      add('third.png', { board_id: 'nowhere' }),
      add('first.png'),
      add('last.png'),
    ])

    expect(first).toMatchObject({ value: { image: { image_name: 'first.png' }, isRepeat: false } })
    expect(repeat).toMatchObject({ value: { image: { image_name: 'first.png' }, isRepeat: true } })
    expect(nowhere).toMatchObject({ value: 'board_not_found' })
    expect(sameName?.status).toBe('rejected')
    expect(last).toMatchObject({ value: { image: { image_name: 'last.png' } } })
    const there = await images.listByNames(['running.png', 'first.png', 'second.png', 'last.png'])
    expect(there.map(({ image_name }) => image_name)).toEqual([
      'running.png',
      'first.png',
      'last.png',
    ])
  })

  test('finds an image by its bytes while it is visible', async () => {
    const { images, trash } = await open()
    const [ours, others] = ['ab'.repeat(32), 'ab'.repeat(31).padEnd(64, 'c')]
    await images.add(newImage('hidden.png', { content_hash: ours, is_intermediate: true }))
    await images.add(newImage('first.png', { content_hash: ours }))
    await images.add(newImage('second.png', { content_hash: ours }))

    expect(await images.getByContentHash(ours)).toMatchObject({ image_name: 'first.png' })
    expect(await images.getByContentHash(others)).toBeNull()

    await trash.trashImages(['first.png', 'second.png'])
    expect(await images.getByContentHash(ours)).toBeNull()
  })

  test('adds all of many images or none', async () => {
    const records = await open()
    const lost = newImage('lost.png', { board_id: 'nowhere' })

    expect(await records.images.addMany([newImage('a.png'), lost])).toBe('board_not_found')
    expect(await records.images.addMany([newImage('a.png'), newImage('b.png')])).toBe(2)
    expect(await namesOn(records, 'none')).toEqual(['b.png', 'a.png'])
  })

  test('copies all fields except name, board, creation time and upload id', async () => {
    const { records, board_id } = await openWithBoard(open)
    const metadata = { invokeai: '{"positive_prompt":"a red fox"}', workflow: '{}', graph: '{}' }
    const made = { session_id: 'session', node_id: 'node', upload_id: 'drop-1', starred: true }
    const dates = { taken_at: Date.UTC(2020, 1, 2), created_at: Date.UTC(2024, 1, 2) }
    const file = { file_name: 'Fox 10.png', content_hash: 'ab'.repeat(32) }
    await records.images.add(newImage('fox.png', { ...made, ...dates, ...file, metadata }))
    const original = await records.images.get('fox.png')

    const added = await records.images.addCopies(
      [{ image_name: 'copy.png', copy_of: 'fox.png' }],
      board_id,
    )

    const copy = await records.images.get('copy.png')
    const { image_name, image_url, thumbnail_url, created_at, updated_at } = { ...copy }
    const own = { image_name, image_url, thumbnail_url, created_at, updated_at, board_id }
    expect(added).toEqual(['copy.png'])
    expect(copy).toEqual({ ...original, ...own })
    expect(await records.images.metadata('copy.png')).toMatchObject(metadata)
    expect(await records.images.getByUploadId('drop-1')).toMatchObject({ image_name: 'fox.png' })
    expect(await namesIn(records, { query: '"red fox"' })).toEqual(['copy.png', 'fox.png'])
    expect(await namesIn(records, { orderBy: 'name' })).toEqual(['copy.png', 'fox.png'])
  })

  test('adds copies in order, also without a board', async () => {
    const records = await open()
    await addAll(records, 'a.png', 'b.png', 'trashed.png')
    await records.trash.trashImages(['trashed.png'])
    const from = (...names: string[]) =>
      names.map((copy_of) => ({ image_name: `copy of ${copy_of}`, copy_of }))

    const added = await records.images.addCopies(
      from('b.png', 'x.png', 'trashed.png', 'a.png'),
      'none',
    )

    expect(added).toEqual(['copy of b.png', 'copy of a.png'])
    expect((await namesOn(records, 'none')).slice(0, 2)).toEqual(['copy of a.png', 'copy of b.png'])
    expect(await records.images.addCopies(from('x.png'), 'none')).toEqual([])
    expect(await records.images.addCopies(from('a.png'), 'nowhere')).toBe('board_not_found')
  })

  test('copies more images than one statement can bind', async () => {
    const records = await open()
    const names = Array.from({ length: 1_500 }, (_, at) => `${at}.png`)
    await records.images.addMany(names.map((name) => newImage(name)))

    const copies = names.map((name) => ({ image_name: `copy of ${name}`, copy_of: name }))
    const added = await records.images.addCopies(copies, 'none')

    expect(added).toHaveLength(names.length)
    expect(await records.images.get('copy of 1499.png')).not.toBeNull()
  })

  test('lists records in the requested order, with repeats and without unknown names', async () => {
    const records = await open()
    await addAll(records, 'a.png', 'b.png')

    const listed = await records.images.listByNames(['b.png', 'nowhere.png', 'a.png', 'b.png'])

    expect(listed.map((image) => image.image_name)).toEqual(['b.png', 'a.png', 'b.png'])
  })

  test('stores embedded metadata, and returns null where there is none', async () => {
    const { images } = await open()
    const metadata = { invokeai: '{"seed":7.0, "ä":[1]}', graph: '{"nodes":{}}' }
    await images.add(newImage('made.png', { metadata }))
    await images.add(newImage('plain.png'))

    expect(await images.metadata('made.png')).toMatchObject({ ...metadata, normal: null })
    const workflowOf = async (imageName: string) =>
      JSON.parse((await jsonOf(await images.embeddedJson(imageName, 'workflow'))) ?? '')
    expect(await workflowOf('made.png')).toEqual({ workflow: null, graph: metadata.graph })
    expect(await workflowOf('plain.png')).toEqual({ workflow: null, graph: null })
    expect(await images.metadata('nowhere.png')).toBeNull()
    expect(await images.embeddedJson('nowhere.png', 'workflow')).toBeNull()
    expect(await images.embeddedTexts('nowhere.png')).toBeNull()
  })

  test('returns megabytes of embedded text in pieces that form valid UTF-8', async () => {
    const { images } = await open()
    const invokeai = JSON.stringify({ positive_prompt: 'ä€😀'.repeat(200_000), seed: 1 })
    const raw = { parameters: '\u0001"\\'.repeat(100_000), ä: 'x' }
    await images.add(newImage('large.png', { metadata: { invokeai, normal: { raw } as never } }))

    const large = await images.embeddedJson('large.png', 'invokeai')
    const pieces = await piecesOf(large)

    expect(pieces.length).toBeGreaterThan(1)
    expect(large?.bytes).toBe(Buffer.byteLength(invokeai))
    expect(Buffer.concat(pieces).toString('utf8')).toBe(invokeai)
    expect(await jsonOf(await images.embeddedJson('large.png', 'normal'))).toBe(
      JSON.stringify({ raw }),
    )
    expect(await images.embeddedTexts('large.png')).toEqual({
      hasInvokeai: true,
      rawNames: ['parameters', 'ä'],
    })
  })

  test('ends the pieces with an error if the image is deleted in the meantime', async () => {
    const { images } = await open()
    const invokeai = JSON.stringify({ positive_prompt: 'x'.repeat(2_000_000) })
    await images.add(newImage('deleted.png', { metadata: { invokeai } }))

    const text = await images.embeddedJson('deleted.png', 'invokeai')
    await images.remove(['deleted.png'])

    await expect(jsonOf(text)).rejects.toThrow('deleted')
  })

  test('updates the given fields and ignores null', async () => {
    const { images } = await open()
    await images.add(newImage('a.png', { session_id: 'session' }))

    const changes = { image_category: 'mask', starred: true, session_id: null } as const
    const updated = await images.update('a.png', changes)

    expect(updated).toMatchObject({ image_category: 'mask', starred: true, session_id: 'session' })
    expect(await images.update('nowhere.png', changes)).toBeNull()
  })

  test('returns the affected boards after starring, without unknown names', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(records, newImage('a.png', { board_id }), 'b.png')

    const starred = await records.images.setStarred(['a.png', 'b.png', 'a.png', 'x.png'], true)

    expect(starred.image_names.sort()).toEqual(['a.png', 'b.png'])
    expect(starred.affected_boards.sort()).toEqual([board_id, 'none'].sort())
    expect(await records.images.get('a.png')).toMatchObject({ starred: true })

    await records.images.setStarred(['a.png'], false)
    expect(await records.images.get('a.png')).toMatchObject({ starred: false })
  })

  test('moves images to a board and returns the target and the previous boards', async () => {
    const records = await open()
    const from = await createBoard(records, 'From')
    const to = await createBoard(records, 'To')
    await addAll(records, newImage('a.png', { board_id: from }), 'b.png')

    const added = await records.images.addToBoard(['a.png', 'b.png', 'x.png'], to)

    expect(added?.added_images.sort()).toEqual(['a.png', 'b.png'])
    expect(added?.affected_boards.sort()).toEqual([from, to, 'none'].sort())
    expect(await namesOn(records, to)).toEqual(['b.png', 'a.png'])
    expect(await namesOn(records, from)).toEqual([])
    expect(await records.images.addToBoard(['a.png'], to)).toEqual({
      affected_boards: [to],
      added_images: ['a.png'],
      failed_images: [],
    })
  })

  test('adds no images to a missing board or to none, and no unknown names', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addOnBoard(records, board_id, 'a.png')

    expect(await records.images.addToBoard(['a.png'], 'nowhere')).toBeNull()
    expect(await records.images.addToBoard(['a.png'], 'none')).toBeNull()
    expect(await records.images.addToBoard(['x.png'], board_id)).toEqual({
      affected_boards: [],
      added_images: [],
      failed_images: [],
    })
    expect(await namesOn(records, board_id)).toEqual(['a.png'])
  })

  test('lists uncategorized images too when removing them from boards', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(records, newImage('a.png', { board_id }), 'b.png')

    const removed = await records.images.removeFromBoard(['a.png', 'b.png', 'x.png'])

    expect(removed.removed_images.sort()).toEqual(['a.png', 'b.png'])
    expect(removed.affected_boards.sort()).toEqual([board_id, 'none'].sort())
    expect(await namesOn(records, 'none')).toEqual(['b.png', 'a.png'])
  })

  test('removes images, leaves tombstones and ignores unknown names', async () => {
    const records = await open()
    await addAll(records, 'a.png', newImage('b.png', { metadata: { graph: '{}' } }))

    const removed = await records.images.remove(['a.png', 'b.png', 'x.png', 'x.png', 'a.png'])

    expect(removed.deleted_images.sort()).toEqual(['a.png', 'b.png'])
    expect(removed).toMatchObject({ affected_boards: ['none'], failed_images: [] })
    expect((await records.upkeep.tombstones(9)).sort()).toEqual(['a.png', 'b.png'])
    await records.upkeep.forgetTombstones(['a.png', 'b.png'])
    expect(await records.upkeep.tombstones(9)).toEqual([])
  })

  test('removes all uncategorized images, but neither boards nor the trash', async () => {
    const { records, board_id } = await openWithBoard(open)
    const step = newImage('step.png', { is_intermediate: true })
    await addAll(records, 'a.png', step, 'trashed.png', newImage('kept.png', { board_id }))
    await records.trash.trashImages(['trashed.png'])

    const removed = await records.images.removeUncategorized()

    expect(removed.deleted_images.sort()).toEqual(['a.png', 'step.png'])
    expect(await records.images.get('kept.png')).not.toBeNull()
    expect(await records.images.get('trashed.png')).not.toBeNull()
  })

  test('counts and removes intermediates on every board', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(
      records,
      newImage('a.png', { is_intermediate: true }),
      newImage('b.png', { is_intermediate: true, board_id }),
      'kept.png',
    )

    expect(await records.images.countIntermediates()).toBe(2)
    expect(await records.images.removeIntermediates()).toBe(2)
    expect(await records.images.countIntermediates()).toBe(0)
    expect(await records.upkeep.allNames(null, 9)).toEqual(['kept.png'])
  })

  test('returns the archive entries of a board, or of names in the given order', async () => {
    const { records, board_id } = await openWithBoard(open)
    const normal = normalOf({
      ...{ model: 'models/flux.safetensors', seed: 12, steps: 20, cfg_scale: 6.5 },
      ...{ sampler: 'Euler a', generator: 'comfyui' },
    })
    const made = { board_id, file_name: 'A.png', taken_at: 5000, metadata: { normal } }
    await addAll(records, newImage('a.png', made), 'b.png')
    const { images } = records

    expect(await images.archiveEntries({ boardId: board_id })).toEqual([
      {
        image_name: 'a.png',
        image_category: 'user',
        file_name: 'A.png',
        file_size: 1000,
        media_type: 'image/png',
        board_name: 'Board',
        dated_at: 5000,
        ...{ width: 640, height: 480, rating: 0, generator: 'comfyui' },
        ...{ model: 'flux', sampler: 'euler_ancestral', seed: '12', steps: 20, cfg: 6.5 },
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    const named = await images.archiveEntries({ imageNames: ['b.png', 'x.png', 'a.png', 'b.png'] })
    expect(named?.map((entry) => entry.image_name)).toEqual(['b.png', 'a.png'])
    expect(named?.[0]).toMatchObject({ board_name: null, generator: null, model: null, cfg: null })
    expect(await images.archiveEntries({ boardId: 'none' })).toHaveLength(1)
    expect(await images.archiveEntries({ boardId: 'nowhere' })).toBeNull()
  })

  test('returns all names sorted and in parts, including the trash', async () => {
    const records = await open()
    await addAll(records, 'c.png', 'a.png', 'b.png')
    await records.trash.trashImages(['b.png'])

    expect(await records.upkeep.allNames(null, 2)).toEqual(['a.png', 'b.png'])
    expect(await records.upkeep.allNames('b.png', 2)).toEqual(['c.png'])
  })

  test('increases the revision only after a change', async () => {
    const records = await open()
    const before = await records.upkeep.revision()

    await records.images.get('a.png')
    expect(await records.upkeep.revision()).toBe(before)
    await addAll(records, 'a.png')
    expect(await records.upkeep.revision()).toBeGreaterThan(before)
  })
}
