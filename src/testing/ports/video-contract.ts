import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ImageOrder } from '#contract/image.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { roundsOf } from '#testing/rounds.ts'
import { addAll, everything, listOf, namesIn, newImage, openWithBoard } from './new-image.ts'

const newVideo = (name: string, own: Parameters<typeof newImage>[1] = {}) =>
  newImage(name, {
    media_type: 'video/mp4',
    width: 320,
    height: 180,
    video: { duration_ms: 2_040, frame_rate: 23_976, codec: 'h264', has_sound: true },
    ...own,
  })

const lasting = (duration_ms: number) => ({
  video: { duration_ms, frame_rate: null, codec: 'h264' as const, has_sound: false },
})

/** Few different values, so that many items have the same one. */
const item = fc.record({
  isVideo: fc.boolean(),
  isOnBoard: fc.boolean(),
  created_at: fc.integer({ min: 0, max: 3 }).map((day) => day * 86_400_000),
  taken_at: fc.option(fc.integer({ min: -2, max: 2 }).map((day) => day * 86_400_000)),
  file_size: fc.integer({ min: 1, max: 3 }),
  file_name: fc.constantFrom('a', 'b 2', 'b 10'),
  starred: fc.boolean(),
  is_intermediate: fc.boolean(),
  duration_ms: fc.integer({ min: 1, max: 3 }),
})

/** Lists of all boards and of one in each order. */
const listsOf = (board_id: string): View[] =>
  ImageOrder.enum.flatMap((orderBy) =>
    [{ starredFirst: false }, { starredFirst: true }, { isStarred: true }].flatMap((stars) =>
      [{}, { boardId: board_id, isIntermediate: false }].map(
        (place, at): View => ({
          ...{ ...everything, orderBy, orderDir: at === 0 ? 'ASC' : 'DESC' },
          ...{ ...stars, ...place },
        }),
      ),
    ),
  )

/** Tests that every implementation of `Records` must pass for videos, which are stored with the images. */
export const testVideos = (open: () => Promise<Records>): void => {
  test('returns an added video as its own record, and as one among images', async () => {
    const { records, board_id } = await openWithBoard(open)

    await addAll(records, newVideo('a.mp4', { board_id, file_name: 'Boat.mp4', starred: true }))

    expect(await records.videos.get('a.mp4')).toMatchObject({
      ...{ video_name: 'a.mp4', video_url: 'api/v1/videos/i/a.mp4/full', board_id, starred: true },
      ...{ width: 320, height: 180, duration: 2.04, fps: 23.976, codec: 'h264', has_sound: true },
      ...{ file_name: 'Boat.mp4', media_type: 'video/mp4', is_intermediate: false },
    })
    const [listed] = await records.images.listByNames(['a.mp4'])
    expect(listed).toEqual(await records.images.get('a.mp4'))
    expect(listed).toMatchObject({
      ...{ image_name: 'a.mp4', image_url: 'api/v1/videos/i/a.mp4/full', board_id, starred: true },
      ...{ media_type: 'video/mp4', is_animated: false },
      video: { duration: 2.04, fps: 23.976, codec: 'h264', has_sound: true },
    })
    const { content_hash = '' } = listed ?? {}
    expect(await records.images.getByContentHash(content_hash ?? '')).toEqual(listed)
    expect(await records.images.isThere('a.mp4')).toBe(true)
    expect(await records.videos.get('unknown.mp4')).toBeNull()
  })

  test('changes the poster of a video, which its copies keep', async () => {
    const { records, board_id } = await openWithBoard(open)
    const { videos, images } = records
    await addAll(records, newVideo('a.mp4', { board_id }), newVideo('other.mp4'), 'cat.png')
    const before = await videos.get('a.mp4')
    expect(before).toMatchObject({
      ...{ poster_ms: null, thumbnail_url: 'api/v1/videos/i/a.mp4/thumbnail?poster=auto' },
    })
    const { state } = await records.changes.current()

    const thumbhash = Buffer.from([1, 2, 3])
    const changed = await videos.setPoster('a.mp4', {
      ...{ timeMs: 1_500, thumbhash, fingerprint: null },
    })

    expect(changed).toMatchObject({
      ...{ poster_ms: 1_500, thumbhash: thumbhash.toString('base64') },
      thumbnail_url: 'api/v1/videos/i/a.mp4/thumbnail?poster=1500',
    })
    expect(await videos.get('a.mp4')).toEqual(changed)
    expect(await images.get('a.mp4')).toMatchObject({
      ...{ thumbnail_url: changed?.thumbnail_url, video: { poster_ms: 1_500 } },
    })
    expect(await videos.get('other.mp4')).toMatchObject({ poster_ms: null })
    expect(await records.changes.since(state, 10, null)).toMatchObject({
      images: { updated: ['a.mp4'] },
    })
    await images.addCopies([{ image_name: 'copy.mp4', copy_of: 'a.mp4' }], 'none')
    expect(await videos.get('copy.mp4')).toMatchObject({
      ...{ poster_ms: 1_500, thumbhash: changed?.thumbhash },
    })

    const none = { timeMs: null, thumbhash: new Uint8Array(0), fingerprint: null }
    expect(await videos.setPoster('a.mp4', none)).toMatchObject({
      ...{ poster_ms: null, thumbhash: null, thumbnail_url: before?.thumbnail_url },
    })
    expect(await videos.setPoster('unknown.mp4', none)).toBeNull()
    expect(await videos.setPoster('cat.png', none)).toBeNull()
    await records.trash.trashImages(['other.mp4'])
    expect(await videos.setPoster('other.mp4', none)).toBeNull()
  })

  test('lists images, videos, or both in one order', async () => {
    const { records, board_id } = await openWithBoard(open)
    const step = newVideo('step.mp4', { is_intermediate: true, board_id })
    const starred = newVideo('b.webm', { board_id, starred: true })
    await addAll(records, newVideo('a.mp4', { board_id }), 'loose.png', step, starred)
    await addAll(records, newImage('c.png', { board_id }))
    const view = { boardId: board_id, isIntermediate: false, starredFirst: true }
    const window = { offset: 0, limit: 10 }

    expect(await namesIn(records, view)).toEqual(['c.png'])
    expect(await namesIn(records, { ...view, kind: 'video' })).toEqual(['b.webm', 'a.mp4'])
    expect(await namesIn(records, { ...view, kind: 'all' })).toEqual(['b.webm', 'c.png', 'a.mp4'])
    expect(await namesIn(records, { kind: 'video', isIntermediate: true })).toEqual(['step.mp4'])
    const videos = await records.videos.page({ ...everything, ...view }, window)
    expect(videos.items.map(({ video_name }) => video_name)).toEqual(['b.webm', 'a.mp4'])
    const both = await records.gallery.page({ ...everything, ...view, kind: 'all' }, window)
    expect(both.items.map(({ kind, name }) => [kind, name])).toEqual([
      ['video', 'b.webm'],
      ['image', 'c.png'],
      ['video', 'a.mp4'],
    ])
    expect(both.total).toBe(3)
    const counted = await records.images.page({ ...everything, ...view, kind: 'all' }, window)
    expect(counted).toMatchObject({ total: 3, videoCount: 2 })
  })

  test('sorts and searches videos together with images', async () => {
    const { records } = await openWithBoard(open)
    const named = (name: string, file_size: number) => ({ file_name: `boat ${name}`, file_size })
    await addAll(
      records,
      newVideo('a.mp4', named('2', 30)),
      newImage('b.png', named('10', 20)),
      newVideo('c.mp4', { ...named('1', 10), is_intermediate: true }),
    )
    const all = { kind: 'all' as const, orderDir: 'ASC' as const }

    expect(await namesIn(records, { ...all, orderBy: 'name' })).toEqual(['c.mp4', 'a.mp4', 'b.png'])
    expect(await namesIn(records, { ...all, orderBy: 'size' })).toEqual(['c.mp4', 'b.png', 'a.mp4'])
    expect(await namesIn(records, { ...all, query: 'boat' })).toEqual(['a.mp4', 'b.png', 'c.mp4'])
    expect(await namesIn(records, { query: 'boat' })).toEqual(['b.png'])
    expect(await namesIn(records, { query: 'boat', kind: 'video' })).toEqual(['c.mp4', 'a.mp4'])
    await records.images.update('c.mp4', { is_intermediate: false })
    const shown = { kind: 'video', isIntermediate: false } as const
    expect(await namesIn(records, shown)).toEqual(['c.mp4', 'a.mp4'])
    expect(await records.images.position({ ...everything, kind: 'all' }, 'a.mp4')).toEqual({
      position: 2,
      total: 3,
    })
  })

  test('reads each list of any kind page by page, as its names, positions and days', async () => {
    const check = async ({ images }: Records, view: View, names: readonly string[]) => {
      const dates: string[] = []
      for (let offset = 0; offset <= names.length; offset += 7) {
        const page = await images.page(view, { offset, limit: 7 })
        const found = page?.items.map(({ image_name }) => image_name)
        expect([view, offset, found]).toEqual([view, offset, names.slice(offset, offset + 7)])
        expect(page?.total).toBe(names.length)
        for (const { starred, created_at, taken_at } of page?.items ?? [])
          if (!view.starredFirst || !starred)
            dates.push((view.orderBy === 'taken_at' && taken_at) || created_at)
      }
      for (let position = 0; position < names.length; position += 5) {
        const found = await images.position(view, names[position] ?? '')
        expect([view, found]).toEqual([view, { position, total: names.length }])
        const next = await images.page(view, { after: names[position] ?? '', limit: 3 })
        const after = next?.items.map(({ image_name }) => image_name)
        expect([view, after]).toEqual([view, names.slice(position + 1, position + 4)])
      }
      const { orderBy } = view
      if (orderBy !== 'created_at' && orderBy !== 'taken_at') return
      const days = Map.groupBy(dates, (date) => date.slice(0, 10))
      expect((await images.days({ ...view, orderBy }, 'UTC')).days).toEqual(
        [...days].map(([day, { length }]) => ({ day, count: length })),
      )
    }
    const items = fc.array(item, { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(items, async (added) => {
        const { records, board_id } = await openWithBoard(open)
        await records.images.addMany(
          added.map(({ isVideo, isOnBoard, duration_ms, ...own }, at) => {
            const placed = { ...own, board_id: isOnBoard ? board_id : null }
            return isVideo
              ? newVideo(`${at}.mp4`, { ...placed, ...lasting(duration_ms) })
              : newImage(`${at}.png`, placed)
          }),
        )
        for (const view of listsOf(board_id)) {
          const all = await namesIn(records, { ...view, kind: 'all' })
          await check(records, { ...view, kind: 'all' }, all)
          await check(records, { ...view, kind: 'video' }, all.filter(isVideoName))
          const images = all.filter((name) => !isVideoName(name))
          await check(records, { ...view, kind: 'image' }, images)
          expect(await namesIn(records, { ...view, kind: 'image' })).toEqual(images)
        }
      }),
      { numRuns: roundsOf({ usual: 2, all: 6 }) },
    )
  })

  test('orders by duration: videos first, then images, newest first', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(
      records,
      newVideo('short.mp4', lasting(900)),
      newImage('old.png', { created_at: 1_000, starred: true }),
      newVideo('long.mp4', { ...lasting(61_000), board_id }),
      newImage('oldest.png', { created_at: 500 }),
      newVideo('also-short.mp4', { ...lasting(900), starred: true }),
    )
    const longest = { kind: 'all', orderBy: 'duration' } as const

    const names = ['long.mp4', 'also-short.mp4', 'short.mp4', 'old.png', 'oldest.png']
    expect(await namesIn(records, longest)).toEqual(names)
    expect(await namesIn(records, { ...longest, orderDir: 'ASC' })).toEqual(names.toReversed())
    expect(await namesIn(records, { ...longest, starredFirst: true })).toEqual([
      ...['also-short.mp4', 'old.png', 'long.mp4', 'short.mp4', 'oldest.png'],
    ])
    expect(await namesIn(records, { ...longest, isStarred: true })).toEqual([
      ...['also-short.mp4', 'old.png'],
    ])
    expect(await namesIn(records, { ...longest, kind: 'image' })).toEqual(['old.png', 'oldest.png'])
    const view = { ...everything, ...longest }
    const page = await records.images.page(view, { offset: 2, limit: 2 })
    expect(page).toMatchObject({ total: 5, totalBytes: 5_000, videoCount: 3 })
    expect(await records.images.position(view, 'old.png')).toEqual({ position: 3, total: 5 })
    const ofBoard = { ...view, boardId: board_id }
    expect(await records.images.position(ofBoard, 'old.png')).toEqual({ position: null, total: 1 })
    const afterVideo = await records.images.page(
      { ...view, kind: 'image' },
      { after: 'short.mp4', limit: 9 },
    )
    expect(afterVideo?.items.map(({ image_name }) => image_name)).toEqual(['old.png', 'oldest.png'])
    const afterImage = await records.images.page(
      { ...view, kind: 'video' },
      { after: 'old.png', limit: 9 },
    )
    expect(afterImage?.items).toEqual([])
    expect((await records.images.ratios(view, null)).groups).toMatchObject([{ count: 5 }])
  })

  test('filters videos by duration, in each order and with each other filter', async () => {
    const { records, board_id } = await openWithBoard(open)
    const named = (file_name: string, duration_ms: number) => ({
      ...{ file_name: `boat ${file_name}`, ...lasting(duration_ms) },
    })
    await addAll(
      records,
      newVideo('a.mp4', { ...named('3', 4_999), board_id }),
      newVideo('b.mp4', { ...named('2', 5_000), starred: true }),
      newImage('c.png', { file_name: 'boat 1' }),
      newVideo('d.mp4', { ...named('1', 14_999), is_intermediate: true }),
      newVideo('e.mp4', { ...named('0', 15_000), image_category: 'general' }),
    )
    const inMiddle = { kind: 'all', minDurationMs: 5_000, maxDurationMs: 15_000 } as const

    expect(await namesIn(records, inMiddle)).toEqual(['d.mp4', 'b.mp4'])
    expect(await namesIn(records, { ...inMiddle, orderBy: 'name' })).toEqual(['b.mp4', 'd.mp4'])
    expect(await namesIn(records, { ...inMiddle, orderBy: 'duration', orderDir: 'ASC' })).toEqual([
      ...['b.mp4', 'd.mp4'],
    ])
    expect(await namesIn(records, { ...inMiddle, isIntermediate: false })).toEqual(['b.mp4'])
    expect(await namesIn(records, { ...inMiddle, isStarred: false })).toEqual(['d.mp4'])
    expect(await namesIn(records, { ...inMiddle, query: 'boat' })).toEqual(['d.mp4', 'b.mp4'])
    expect(await namesIn(records, { ...inMiddle, query: 'no such boat' })).toEqual([])
    expect(await namesIn(records, { ...inMiddle, kind: 'image' })).toEqual([])
    const under5s = { kind: 'video', maxDurationMs: 5_000 } as const
    expect(await namesIn(records, under5s)).toEqual(['a.mp4'])
    expect(await namesIn(records, { ...under5s, boardId: board_id })).toEqual(['a.mp4'])
    expect(await namesIn(records, { ...under5s, boardId: 'none' })).toEqual([])
    const from15s = { kind: 'video', minDurationMs: 15_000 } as const
    expect(await namesIn(records, { ...from15s, categories: ['general'] })).toEqual(['e.mp4'])
    expect(await namesIn(records, { ...from15s, categories: ['user'] })).toEqual([])
    const page = await records.images.page({ ...everything, ...inMiddle }, { offset: 1, limit: 5 })
    expect(page).toMatchObject({ total: 2, items: [{ image_name: 'b.mp4' }] })

    await records.trash.trashImages(['b.mp4'])
    expect(await namesIn(records, inMiddle)).toEqual(['d.mp4'])
    await records.trash.restore({ imageNames: ['b.mp4'], boardIds: [] })
    expect(await namesIn(records, inMiddle)).toEqual(['d.mp4', 'b.mp4'])
  })

  test('lists more names of images and videos than one read returns, with any characters @long', async () => {
    const { records } = await openWithBoard(open)
    const nameAt = (at: number) => `"${at}\\",é\n].${at % 10 === 4 ? 'mp4' : 'png'}`
    const names = Array.from({ length: 10_050 }, (_, at) => nameAt(at))
    await records.images.addMany(
      names.map((name, at) =>
        isVideoName(name) ? newVideo(name, { created_at: at }) : newImage(name, { created_at: at }),
      ),
    )

    expect(await namesIn(records, { kind: 'all', orderDir: 'ASC' })).toEqual(names)
    const images = names.filter((name) => !isVideoName(name))
    expect(await namesIn(records, { orderDir: 'ASC' })).toEqual(images)
  })

  test('counts videos of a board apart, and uses them as a cover without images', async () => {
    const { records, board_id } = await openWithBoard(open)
    const step = newVideo('step.mp4', { board_id, is_intermediate: true })
    await addAll(records, newVideo('a.mp4', { board_id }), newVideo('b.mp4', { board_id }), step)
    const board = () => records.boards.get(board_id)

    expect(await board()).toMatchObject({
      ...{ image_count: 0, asset_count: 0, video_count: 2 },
      ...{ cover_image_name: null, cover_video_name: 'b.mp4' },
    })
    const chosen = await records.boards.update(board_id, { cover_image_name: 'a.mp4' })
    expect(chosen).toBe('cover_image_not_found')
    await addAll(records, newImage('c.png', { board_id }))
    expect(await board()).toMatchObject({
      ...{ image_count: 1, video_count: 2, cover_image_name: 'c.png', cover_video_name: null },
    })
    const list = { orderBy: 'created_at', direction: 'ASC', includeArchived: false } as const
    expect((await records.boards.list(list)).items).toMatchObject([{ video_count: 2 }])
  })

  test('trashes and restores videos, and lists only images in the trash', async () => {
    const { records, board_id } = await openWithBoard(open)
    await addAll(records, newVideo('a.mp4', { board_id }), newImage('b.png', { board_id }))

    await records.trash.trashBoard(board_id, { images: 'trash' })

    const trash = await records.trash.page({ offset: 0, limit: 10, includeSize: true })
    expect(trash).toMatchObject({ total: 1, total_bytes: 1_000, items: [{ image_name: 'b.png' }] })
    expect(trash.boards).toMatchObject([{ image_count: 1, video_count: 1 }])
    expect(await namesIn(records, { kind: 'video' })).toEqual([])
    await records.trash.restore({ imageNames: [], boardIds: [board_id] })
    expect(await namesIn(records, { kind: 'video', boardId: board_id })).toEqual(['a.mp4'])
  })

  test('deletes uncategorized videos without the images', async () => {
    const { records } = await openWithBoard(open)
    await addAll(records, newVideo('a.mp4'), 'b.png')

    const removed = await records.images.removeUncategorized('video')

    expect(removed.deleted_images).toEqual(['a.mp4'])
    expect(await namesIn(records, { kind: 'all' })).toEqual(['b.png'])
    expect(await listOf((await records.images.names(everything)).image_names)).toEqual(['b.png'])
    expect(await records.upkeep.tombstones(9)).toEqual(['a.mp4'])
  })
}
