import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#client/connect.ts'
import type { ImageRecord } from '#contract/image.ts'
import { type DuplicatesPage, listDuplicates } from '#contract/likeness/duplicates.ts'
import { MAX_DUPLICATE_GROUPS } from '#contract/limits.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const client = () => connect({ baseUrl: api.url })

const upload = async (bytes: Uint8Array, name: string) => {
  const { body } = await api.upload(new File([new Uint8Array(bytes)], name))
  return (body as ImageRecord).image_name
}

/** Asks until all pictures are compared. */
const listAll = async (view: object = {}): Promise<DuplicatesPage> => {
  for (;;) {
    const page = await client().duplicates.list(view)
    if (page.progress === null) return page
  }
}

const namesOf = ({ items }: DuplicatesPage) =>
  items.map(({ keep, images }) => [
    keep,
    ...images.flatMap(({ image_name }) => (image_name === keep ? [] : image_name)).sort(),
  ])

test('finds copies of a picture, resolves and dismisses them, and takes that back', async () => {
  const { bytes } = await drawPicture({ seed: 1, kind: 'comfyui', widthPx: 320, heightPx: 240 })
  const other = await drawPicture({ seed: 5, kind: 'comfyui', widthPx: 320, heightPx: 240 })
  const one = await upload(bytes, 'one.png')
  const again = await upload(bytes, 'again.png')
  const small = await upload(await sharp(bytes).resize(160).jpeg().toBuffer(), 'small.jpg')
  const turned = await upload(await sharp(bytes).rotate(90).flop().png().toBuffer(), 'turned.png')
  await upload(other.bytes, 'other.png')

  expect(namesOf(await listAll({ match: 'bytes' }))).toEqual([[one, again]])
  const page = await listAll()
  expect(page).toMatchObject({ total: 1, image_count: 4, progress: null })
  expect(page.items[0]).toMatchObject({ keep: one, reason: 'oldest' })
  expect(namesOf(page)).toEqual([[one, ...[again, small, turned].sort()]])
  expect(namesOf(await listAll({ match: 'near', distance: 11 }))).toEqual(namesOf(page))
  expect(await listAll({ query: 'is:starred' })).toMatchObject({ total: 0, items: [] })

  await client().duplicates.dismiss([{ image_names: [small, one, again, turned] }])
  expect(await listAll()).toMatchObject({ total: 0, image_count: 0, bytes: 0 })
  await client().duplicates.undismiss([{ image_names: [one, again, turned, small] }])
  expect((await listAll()).total).toBe(1)

  await client().images.star([small])
  const result = await client().duplicates.resolve([
    { keep: one, image_names: [again, small, turned] },
  ])
  expect(result).toMatchObject({ starred_images: [one], failed_images: [] })
  expect(result.trashed_images.toSorted()).toEqual([again, small, turned].toSorted())
  expect((await listAll()).total).toBe(0)

  await client().trash.restore({ imageNames: result.trashed_images })
  await client().images.unstar(result.starred_images)
  expect(namesOf(await listAll())).toEqual([[one, ...[again, small, turned].sort()]])
})

test('resolves a group once by its ID, and undoes it', async () => {
  const { bytes } = await drawPicture({ seed: 30, kind: 'comfyui', widthPx: 320, heightPx: 240 })
  const keep = await upload(bytes, 'keep.png')
  const small = await upload(await sharp(bytes).resize(160).jpeg().toBuffer(), 'small.jpg')
  await client().images.rate([small], 3)
  const group = { resolve_id: 'one', keep, image_names: [small] }
  const result = await client().duplicates.resolve([group])
  expect(result).toMatchObject({
    trashed_images: [small],
    previous_ratings: [{ rating: 0, image_names: [keep] }],
  })
  expect(await client().duplicates.resolve([group])).toEqual({ ...result, affected_boards: [] })

  expect(await client().duplicates.unresolve(['one', 'unknown'])).toEqual({
    affected_boards: ['none'],
    restored_images: [small],
    images_by_board: [{ board_id: 'none', image_names: [small] }],
    changed_images: [keep],
  })
  const images = await client().images.getMany([keep, small])
  expect(images.map(({ rating, deleted_at }) => [rating, deleted_at ?? null])).toEqual([
    [0, null],
    [3, null],
  ])
})

test.each([
  ['resolve', [{ keep: 'a.png', image_names: [] }], 'A group needs two different images.'],
  [
    'resolve',
    [{ keep: 'a.png', image_names: ['b.png', 'b.png'] }],
    'An image is in the groups twice.',
  ],
  ['resolve', [{ keep: 'a.png', image_names: ['a.png'] }], 'A group needs two different images.'],
  [
    'resolve',
    [
      { resolve_id: '1', keep: 'a.png', image_names: ['b.png'] },
      { resolve_id: '1', keep: 'c.png', image_names: ['d.png'] },
    ],
    'Two groups have the same resolve_id.',
  ],
  [
    'resolve',
    [{ resolve_id: '\ud800', keep: 'a.png', image_names: ['b.png'] }],
    'A resolve_id is not valid text.',
  ],
  ['dismiss', [{ image_names: ['a.png', 'a.png'] }], 'A group needs two different images.'],
  [
    'undismiss',
    [{ image_names: ['a.png', 'b.png'] }, { image_names: [] }],
    'A group needs two different images.',
  ],
])('refuses to %s %j', async (path, groups, detail) => {
  const answer = await api.send('POST', `/api/v1/duplicates/${path}`, { json: { groups } })
  expect(answer).toMatchObject({ status: 422, body: { detail } })
  expect(answer.headers.get('x-refusal-code')).toBe('invalid_duplicates')
})

test.each(['match=all', 'distance=12', 'distance=-1', 'limit=1001', 'offset=-1', 'kind=gif'])(
  'refuses a list with %s',
  async (query) => {
    const { status } = await api.send('GET', `${listDuplicates.path}?${query}`)
    expect(status).toBe(422)
  },
)

test('refuses too many groups or names', async () => {
  const pair = { keep: 'a.png', image_names: ['b.png'] }
  const json = { groups: Array.from({ length: MAX_DUPLICATE_GROUPS + 1 }, () => pair) }
  expect((await api.send('POST', '/api/v1/duplicates/resolve', { json })).status).toBe(422)
  const names = Array.from({ length: 50_001 }, (_, at) => `${at}.png`)
  const many = await api.send('POST', '/api/v1/duplicates/dismiss', {
    json: { groups: [{ image_names: names }] },
  })
  expect(many.headers.get('x-refusal-code')).toBe('too_many_names')
})

test('ignores unknown boards and names', async () => {
  expect(await listAll({ boardId: 'unknown' })).toMatchObject({ total: 0, items: [] })
  const result = await client().duplicates.resolve([{ keep: 'x.png', image_names: ['y.png'] }])
  expect(result).toMatchObject({ trashed_images: [], failed_images: ['x.png', 'y.png'] })
})
