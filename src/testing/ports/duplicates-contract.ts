import { expect, test } from 'vitest'
import type { NewImage, View } from '#server/core/images/image-ports.ts'
import type { IdGroups } from '#server/core/likeness/duplicate-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { addAll, createBoard, everything, namesIn, newImage } from './new-image.ts'

const fox = [0x12345678, 0x9abcdef0, 1, 2, 3]
const castle = [0xfffffffe, 0xfffffffe, 0x3fffffff, 0x3fffffff, 0]

const all: View = { ...everything, kind: 'all', isIntermediate: false }
const first = { offset: 0, limit: 10 }
const videoOf = (duration_ms: number) => ({
  ...{ duration_ms, frame_rate: 30_000, codec: 'h264' as const, has_sound: false },
})

/** Returns groups of these ids. */
const groupsOf = (...groups: readonly (readonly number[])[]): IdGroups =>
  Uint32Array.from(groups.flatMap((ids) => [ids.length, ...ids]))

/** Tests that every implementation of `DuplicateRecords` must pass. */
export const testDuplicates = (open: () => Promise<Records>): void => {
  const openWith = async (...images: readonly NewImage[]) => {
    const records = await open()
    await addAll(records, ...images)
    const { ids } = await records.duplicates.pictures()
    return { records, duplicates: records.duplicates, ids: [...ids] }
  }
  const drawn = (name: string, own: Partial<NewImage> = {}) =>
    newImage(name, {
      fingerprint: fox,
      content_hash: name.padEnd(64, '0').replace(/\W/g, 'a'),
      ...own,
    })

  test('returns the fingerprints of all images and videos outside the trash', async () => {
    const { records, duplicates } = await openWith(
      drawn('a.png', { width: 1000, height: 500 }),
      drawn('b.mp4', { fingerprint: castle, video: videoOf(2_000), media_type: 'video/mp4' }),
      newImage('without.png'),
      drawn('intermediate.png', { is_intermediate: true }),
      drawn('trashed.png'),
    )
    await records.trash.trashImages(['trashed.png'])

    const { ids, words, ratios, durations } = await duplicates.pictures()
    expect(ids).toHaveLength(2)
    expect([...words]).toEqual([...fox, ...castle])
    expect([...ratios]).toEqual([1000, 415])
    expect([...durations]).toEqual([0, 2_001])
  })

  test('copies fingerprints, and reads those that were drawn later', async () => {
    const { records, duplicates } = await openWith(drawn('a.png'), newImage('b.png'))
    await records.images.addCopies([{ image_name: 'copy.png', copy_of: 'a.png' }], 'none')
    expect([...(await duplicates.pictures()).words]).toEqual([...fox, ...fox])

    const version = READER_VERSION + 1
    const read = { imageName: 'b.png', read: null }
    await records.rereads.store(version, [{ ...read, fingerprint: castle }])
    expect([...(await duplicates.pictures()).words]).toEqual([...fox, ...castle, ...fox])
    await records.rereads.store(version + 1, [{ ...read, fingerprint: fox }])
    expect([...(await duplicates.pictures()).words]).toEqual([...fox, ...fox, ...fox])
  })

  test('replaces the fingerprint with the poster of a video', async () => {
    const { records, duplicates } = await openWith(
      drawn('a.mp4', { video: videoOf(2_000), media_type: 'video/mp4' }),
    )
    const poster = { timeMs: 500, thumbhash: Buffer.from([1]), fingerprint: castle }
    await records.videos.setPoster('a.mp4', poster)
    expect([...(await duplicates.pictures()).words]).toEqual(castle)
    await records.videos.setPoster('a.mp4', { ...poster, fingerprint: null })
    expect([...(await duplicates.pictures()).words]).toEqual([])
  })

  test('finds images with the same bytes', async () => {
    const same = { content_hash: 'ab'.repeat(32) }
    const begins = { content_hash: `${'ab'.repeat(16)}${'cd'.repeat(16)}` }
    const { records, duplicates, ids } = await openWith(
      drawn('a.png', same),
      drawn('b.png', begins),
      drawn('c.png', same),
      drawn('d.png', { ...same, is_intermediate: true }),
      drawn('e.png', same),
    )
    const [a = 0, , c = 0, e = 0] = ids
    await records.trash.trashImages(['e.png'])
    expect([...(await duplicates.sameBytes())]).toEqual([2, a, c])
    await records.trash.restore({ imageNames: ['e.png'], boardIds: [] })
    expect([...(await duplicates.sameBytes())].sort()).toEqual([3, a, c, e].sort())
  })

  test('lists groups by the bytes to gain, the suggested image first', async () => {
    const { duplicates, ids } = await openWith(
      drawn('small.png', { file_size: 100 }),
      drawn('smaller.png', { file_size: 50 }),
      drawn('large.jpg', { width: 2000, height: 1500, file_size: 900, media_type: 'image/jpeg' }),
      drawn('large-as-png.png', { file_size: 5_000 }),
      drawn('again.png', { file_size: 800 }),
    )
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = ids
    const groups = groupsOf([a, b], [c, d, e])

    const page = await duplicates.page(all, groups, first)
    expect(page).toMatchObject({ total: 2, image_count: 5, bytes: 5_850 })
    expect(
      page.items.map(({ images, ...group }) => [images.map(({ image_name }) => image_name), group]),
    ).toEqual([
      [
        ['large.jpg', 'large-as-png.png', 'again.png'],
        { keep: 'large.jpg', reason: 'pixels', bytes: 5_800 },
      ],
      [['small.png', 'smaller.png'], { keep: 'small.png', reason: 'bytes', bytes: 50 }],
    ])
    const second = await duplicates.page(all, groups, { offset: 1, limit: 1 })
    expect(second).toMatchObject({ total: 2, items: [{ keep: 'small.png' }] })
    expect((await duplicates.page(all, groups, { offset: 5, limit: 1 })).items).toEqual([])
  })

  test('lists only groups with at least two images of a view', async () => {
    const { records, duplicates, ids } = await openWith(
      drawn('a.png'),
      drawn('b.png'),
      drawn('c.png'),
      drawn('d.png'),
    )
    const boardId = await createBoard(records, 'Board')
    await records.images.addToBoard(['a.png', 'b.png', 'c.png'], boardId)
    const [a = 0, b = 0, c = 0, d = 0] = ids
    const groups = groupsOf([a, b], [c, d])

    const onBoard = await duplicates.page({ ...all, boardId }, groups, first)
    expect(onBoard).toMatchObject({ total: 1, image_count: 2, items: [{ keep: 'a.png' }] })
    const found = await duplicates.page({ ...all, query: 'is:starred' }, groups, first)
    expect(found).toEqual({ items: [], total: 0, image_count: 0, bytes: 0 })
  })

  test('hides a dismissed group until it gets another image', async () => {
    const { duplicates, ids } = await openWith(drawn('x.png'), drawn('y.png'), drawn('z.png'))
    const [x = 0, y = 0, z = 0] = ids
    const totalOf = async (...group: number[]) =>
      (await duplicates.page(all, groupsOf(group), first)).total
    await duplicates.dismiss([{ image_names: ['y.png', 'x.png'] }, { image_names: [] }])
    await duplicates.dismiss([{ image_names: ['x.png', 'y.png', 'y.png'] }])

    expect(await totalOf(x, y)).toBe(0)
    expect(await totalOf(x, y, z)).toBe(1)
    expect(await totalOf(x, z)).toBe(1)
    await duplicates.undismiss([{ image_names: ['z.png'] }, { image_names: ['x.png', 'y.png'] }])
    expect(await totalOf(x, y)).toBe(1)
  })

  test('keeps one image of a group with the star of another one', async () => {
    const { records, duplicates } = await openWith(
      ...['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png'].map((name) => drawn(name)),
    )
    await records.images.setStarred(['b.png', 'd.png', 'e.png'], true)
    await records.images.setRating(['b.png'], 4)
    await records.images.setRating(['a.png'], 2)
    await records.tags.apply(['b.png', 'e.png'], { add: ['Best'], remove: [] }, { maxTags: 100 })
    await records.trash.trashImages(['e.png'])

    expect(
      await duplicates.resolve([
        { keep: 'a.png', image_names: ['b.png', 'unknown.png'] },
        { keep: 'd.png', image_names: ['c.png', 'e.png'] },
        { keep: 'gone.png', image_names: ['f.png'] },
      ]),
    ).toEqual({
      affected_boards: ['none'],
      trashed_images: expect.toSatisfy((names: string[]) => names.sort().join() === 'b.png,c.png'),
      starred_images: ['a.png'],
      previous_ratings: [{ rating: 2, image_names: ['a.png'] }],
      added_tags: [{ tag: 'Best', image_names: ['a.png'] }],
      failed_images: ['unknown.png', 'e.png', 'gone.png', 'f.png'],
    })
    expect(await namesIn(records)).toEqual(['f.png', 'd.png', 'a.png'])
    expect(await namesIn(records, { isStarred: true })).toEqual(['d.png', 'a.png'])
    expect(await duplicates.resolve([])).toMatchObject({ trashed_images: [], failed_images: [] })
  })

  test('repeats its answer for a known ID, and undoes what it did', async () => {
    const { records, duplicates } = await openWith(
      ...['a.png', 'b.png', 'c.png', 'd.png'].map((name) => drawn(name)),
    )
    const facts = async () => {
      const images = await records.images.listByNames(['a.png', 'b.png', 'c.png', 'd.png'])
      return Object.fromEntries(
        images.map(({ image_name, starred, rating, tags, deleted_at }) => [
          image_name,
          [starred, rating, tags.join(), deleted_at === null],
        ]),
      )
    }
    await records.images.setStarred(['b.png'], true)
    await records.images.setRating(['b.png'], 4)
    await records.images.setRating(['a.png', 'd.png'], 2)
    await records.tags.apply(['b.png'], { add: ['best', 'old'], remove: [] }, { maxTags: 100 })
    await records.tags.apply(['a.png'], { add: ['old'], remove: [] }, { maxTags: 100 })
    const before = await facts()
    const one = { resolve_id: '1', keep: 'a.png', image_names: ['b.png', 'unknown.png'] }
    const other = { resolve_id: '2', keep: 'c.png', image_names: ['d.png'] }

    const result = await duplicates.resolve([one, other])
    const after = await facts()
    expect(await duplicates.resolve([one, other])).toEqual({ ...result, affected_boards: [] })
    expect(await duplicates.resolve([other])).toMatchObject({
      trashed_images: ['d.png'],
      previous_ratings: [{ rating: 0, image_names: ['c.png'] }],
    })
    expect(await facts()).toEqual(after)

    const undone = await duplicates.unresolve(['1', '2', 'unknown'])
    expect(undone.affected_boards).toEqual(['none'])
    expect(undone.restored_images.toSorted()).toEqual(['b.png', 'd.png'])
    expect(undone.changed_images.toSorted()).toEqual(['a.png', 'c.png'])
    expect(undone.images_by_board).toEqual([
      { board_id: 'none', image_names: undone.restored_images },
    ])
    expect(await facts()).toEqual(before)
    expect(await duplicates.unresolve(['1', '2'])).toEqual({
      ...{ affected_boards: [], restored_images: [], images_by_board: [], changed_images: [] },
    })
    await duplicates.resolve([one, other])
    expect(await facts()).toEqual(after)
  })

  test.each([
    { ids: ['1', '2'], since: null, rating: 2 },
    { ids: ['2', '1'], since: null, rating: 2 },
    { ids: ['2'], since: null, rating: 3 },
    { ids: ['1', '2'], since: 4, rating: 4 },
  ])('undoes two resolutions of one image: $ids, rated since with $since', async (each) => {
    const { records, duplicates } = await openWith(
      ...['a.png', 'b.png', 'c.png'].map((name) => drawn(name)),
    )
    await records.images.setRating(['a.png'], 2)
    await records.images.setRating(['b.png'], 3)
    await records.images.setRating(['c.png'], 5)
    await duplicates.resolve([{ resolve_id: '1', keep: 'a.png', image_names: ['b.png'] }])
    await duplicates.resolve([{ resolve_id: '2', keep: 'a.png', image_names: ['c.png'] }])
    if (each.since !== null) await records.images.setRating(['a.png'], each.since)

    await duplicates.unresolve(each.ids)
    expect(await records.images.listByNames(['a.png'])).toMatchObject([{ rating: each.rating }])
  })

  test('leaves a rating that was changed since', async () => {
    const { records, duplicates } = await openWith(drawn('a.png'), drawn('b.png'))
    await records.images.setRating(['b.png'], 4)
    await duplicates.resolve([{ resolve_id: '1', keep: 'a.png', image_names: ['b.png'] }])
    await records.images.setRating(['a.png'], 5)
    await duplicates.unresolve(['1'])
    const [image] = await records.images.listByNames(['a.png'])
    expect(image?.rating).toBe(5)
  })

  test('leaves the star, the rating and the tags of an image that no longer exists', async () => {
    const { records, duplicates } = await openWith(
      ...['a.png', 'b.png', 'c.png'].map((name) => drawn(name)),
    )
    await records.images.setStarred(['b.png'], true)
    await records.images.setRating(['b.png'], 4)
    await records.tags.apply(['b.png'], { add: ['best'], remove: [] }, { maxTags: 100 })
    await duplicates.resolve([{ resolve_id: '1', keep: 'a.png', image_names: ['b.png', 'c.png'] }])
    await records.images.remove(['b.png'])

    expect(await duplicates.unresolve(['1'])).toMatchObject({
      restored_images: ['c.png'],
      changed_images: [],
    })
    expect(await records.images.listByNames(['a.png'])).toMatchObject([
      { starred: true, rating: 4, tags: ['best'] },
    ])
  })

  test.each<[string, (records: Records) => Promise<unknown>]>([
    ['a star', ({ images }) => images.setStarred(['b.png'], true)],
    ['a rating', ({ images }) => images.setRating(['b.png'], 4)],
    ['a tag', ({ tags }) => tags.apply(['b.png'], { add: ['x'], remove: [] }, { maxTags: 100 })],
  ])('names the board of a kept image that gets %s', async (_, mark) => {
    const { records, duplicates } = await openWith(drawn('a.png'), drawn('b.png'))
    const board_id = await createBoard(records, 'Board')
    await records.images.addToBoard(['a.png'], board_id)
    await mark(records)

    const resolved = await duplicates.resolve([{ keep: 'a.png', image_names: ['b.png'] }])
    expect(resolved.affected_boards.toSorted()).toEqual([board_id, 'none'].toSorted())
  })
}
