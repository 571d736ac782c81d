import { expect, test } from 'vitest'
import type { EmbeddedMetadata } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import {
  addAll,
  createBoard,
  everything,
  namesIn,
  newImage,
  normalOf,
  prompted,
} from './new-image.ts'

const NEXT = READER_VERSION + 1

const nothing: EmbeddedMetadata = { invokeai: null, normal: null, workflow: null, graph: null }

const readAs = (imageName: string, metadata: Partial<EmbeddedMetadata>) => ({
  imageName,
  read: { metadata: { ...nothing, ...metadata }, isAnimated: false },
})

/** Tests that every implementation of `RereadRecords` must pass. */
export const testRereads = (open: () => Promise<Records>): void => {
  test('lists images of an earlier reader, the newest first, until they are stored', async () => {
    const { rereads, trash, ...records } = await open()
    await addAll({ rereads, trash, ...records }, 'a.png', 'b.png', 'c.png')
    await trash.trashImages(['b.png'])

    expect(await rereads.count(READER_VERSION)).toBe(0)
    expect(await rereads.count(NEXT)).toBe(3)
    const names = async () => (await rereads.list(NEXT, 2)).map(({ imageName }) => imageName)
    expect(await names()).toEqual(['c.png', 'b.png'])
    await rereads.store(NEXT, [readAs('c.png', {}), { imageName: 'b.png', read: null }])
    expect(await names()).toEqual(['a.png'])
  })

  test('replaces the metadata and what lists show of it', async () => {
    const records = await open()
    await addAll(records, newImage('a.png', prompted('a castle')))
    const normal = normalOf({ generator: 'comfyui', prompt: 'a lighthouse', raw: { prompt: '{}' } })

    await records.rereads.store(NEXT, [readAs('a.png', { normal, graph: '{}' })])

    expect(await records.images.metadata('a.png')).toEqual({ ...nothing, normal, graph: '{}' })
    expect(await records.images.get('a.png')).toMatchObject({
      ...{ prompt_start: 'a lighthouse', generator: 'comfyui', has_workflow: true },
    })
  })

  test('finds the new words and no longer the old ones, also by a known search', async () => {
    const records = await open()
    await addAll(records, newImage('a.png', prompted('a castle')), newImage('b.png'), 'c.png')
    expect(await namesIn(records, { query: 'castle' })).toEqual(['a.png'])
    expect(await namesIn(records, { query: 'lighthouse' })).toEqual([])

    await records.rereads.store(NEXT, [
      readAs('a.png', { normal: normalOf({ prompt: 'a lighthouse' }) }),
      readAs('b.png', { normal: normalOf({ prompt: 'two boats', raw: { prompt: '{}' } }) }),
    ])

    expect(await namesIn(records, { query: 'castle' })).toEqual([])
    expect(await namesIn(records, { query: 'boat' })).toEqual(['b.png'])
    expect(await namesIn(records, { query: 'lighthouse' })).toEqual(['a.png'])
  })

  test('keeps what people changed, and the counts', async () => {
    const records = await open()
    const board_id = await createBoard(records, 'Cats')
    await addAll(
      records,
      newImage('a.png', { ...prompted('a cat'), file_name: 'mine.png', board_id }),
    )
    await records.images.setStarred(['a.png'], true)
    await records.images.update('a.png', { image_category: 'mask' })
    const before = await records.images.get('a.png')
    const revision = await records.upkeep.revision()

    await records.rereads.store(NEXT, [readAs('a.png', { normal: normalOf({ prompt: 'a dog' }) })])

    expect(await records.images.get('a.png')).toEqual({
      ...before,
      ...{ prompt_start: 'a dog', generator: null },
    })
    expect(await records.upkeep.revision()).toBeGreaterThan(revision)
    expect(await records.boards.get(board_id)).toMatchObject({ image_count: 1 })
    const page = await records.images.page(everything, { offset: 0, limit: 5 })
    expect(page?.total).toBe(1)
  })

  test('returns what came from beside the file, and keeps unreadable images as they are', async () => {
    const records = await open()
    const given = '{"positive_prompt":"by hand"}'
    const image = { needsMetadata: true, posterMs: null }
    await addAll(
      records,
      newImage('given.png', { metadata: { normal: normalOf({ raw: { metadata: given } }) } }),
      newImage('beside.png', {
        metadata: { normal: normalOf({ raw: { sidecars: { 'a.txt': 'a “fox”\n' } } }) },
      }),
      newImage('only.png', { metadata: { invokeai: given } }),
      newImage('none.png'),
    )

    expect(await records.rereads.list(NEXT, 4)).toEqual([
      { ...image, imageName: 'none.png', given: null, sidecars: {} },
      { ...image, imageName: 'only.png', given, sidecars: {} },
      { ...image, imageName: 'beside.png', given: null, sidecars: { 'a.txt': 'a “fox”\n' } },
      { ...image, imageName: 'given.png', given, sidecars: {} },
    ])
    await records.rereads.store(NEXT, [{ imageName: 'only.png', read: null }])
    expect(await records.images.metadata('only.png')).toMatchObject({ invokeai: given })
  })

  test('skips images that were deleted or read meanwhile', async () => {
    const records = await open()
    await addAll(records, newImage('a.png', prompted('a castle')), 'gone.png')
    await records.images.remove(['gone.png'])
    const normal = normalOf({ prompt: 'a dog' })

    await records.rereads.store(READER_VERSION, [readAs('a.png', { normal })])
    await records.rereads.store(NEXT, [readAs('gone.png', { normal })])

    expect(await namesIn(records, { query: 'castle' })).toEqual(['a.png'])
    expect(await records.images.get('gone.png')).toBeNull()
  })
}
