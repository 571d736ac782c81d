import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { View } from '#server/core/images/image-ports.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { everything, newImage, prompted } from '#testing/ports/new-image.ts'
import { LEASE_MS, newBatch, times } from '#testing/ports/queue-contract.ts'
import { openPostgresRecords, type PostgresRecords } from './open-records.ts'
import { BUCKET_IMAGES } from './order-buckets.ts'

const IMAGES = 30_000
const VIDEOS = 3_000
const BOARDS = 20

const nameAt = (at: number) => `${at}.png`
const hashAt = (at: number) => at.toString(16).padStart(64, '0')

let records: PostgresRecords
let client: pg.Client
let boardIds: string[]
const queries: CompiledQuery[] = []

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  records = await openPostgresRecords({ url, onQuery: (query) => void queries.push(query) })
  client = new pg.Client({ connectionString: url, options: '-c search_path=tessera' })
  await client.connect()
  boardIds = []
  for (let at = 0; at < BOARDS; at += 1) {
    const board = { board_name: `Board ${at}`, board_visibility: 'shared' } as const
    boardIds.push((await records.boards.create(board)).board_id)
  }
  const images = Array.from({ length: IMAGES }, (_, at) =>
    newImage(nameAt(at), {
      ...prompted(`castle ${at % 2 ? 'moat' : ''} number${at % 1000}`),
      board_id: boardIds[at % BOARDS] ?? null,
      content_hash: hashAt(at),
      created_at: Date.UTC(2026, 0, 1) + at * 60_000,
      file_size: 1000 + ((at * 7919) % 10_007),
      starred: at % 50 === 0,
      tags: at % 3 === 0 ? [`tag ${at % 3_000}`, `level/${at % 900}`] : [],
      upload_id: `upload ${at}`,
    }),
  )
  await records.images.addMany(images)
  const videos = Array.from({ length: VIDEOS }, (_, at) =>
    newImage(`${at}.mp4`, {
      board_id: boardIds[at % 2] ?? null,
      content_hash: hashAt(at),
      created_at: Date.UTC(2026, 0, 1) + at * 600_000,
      starred: at % 50 === 0,
      video: { duration_ms: at * 100, frame_rate: 24_000, codec: 'h264', has_sound: false },
    }),
  )
  await records.images.addMany(videos)
  await records.trash.trashImages(images.slice(0, 200).map(({ image_name }) => image_name))
  for (let at = 0; at < 400; at += 1) {
    const batch = { batchId: `batch ${at}`, fieldValues: times(10), maxPending: 10_000 }
    await records.queue.add(newBatch(batch))
  }
  await records.queue.cancel('default', { batchIds: ['batch 0', 'batch 1'] })
  for (let at = 0; at < 10; at += 1) await records.queue.startNext('cpu', LEASE_MS)
  await client.query('VACUUM ANALYZE')
})

afterAll(async () => {
  await records.close()
  await client.end()
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}

/** Returns how the statements of a call read large tables, and `sorted` if a statement sorts rows of images. */
const accessesOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  queries.length = 0
  await work()
  const accesses = new Set<string>()
  const readsImages = (plan: Plan): boolean => {
    const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index } = plan
    if (index !== undefined) accesses.add(index)
    else if (type === 'Seq Scan') accesses.add(`all ${table}`)
    const isAny = (plan.Plans ?? []).map(readsImages).includes(true)
    if (isAny && /Sort$/.test(type)) accesses.add('sorted')
    return isAny || table === 'images'
  }
  await client.query('BEGIN')
  for (const { sql, parameters } of queries) {
    if (/^(?:SET LOCAL|SELECT set_config)/.test(sql)) await client.query(sql)
    if (!/^\s*(?:select|with|update|delete)/i.test(sql)) continue
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters])
    readsImages(rows[0]['QUERY PLAN'][0].Plan)
  }
  await client.query('ROLLBACK')
  // The tags of each record are read by its key.
  const ofSmallTables =
    /^(?:all )?(?:board_search|boards|image_counts|library)(?!_(?:created|starred|taken|name|size))|^(?:image_)?tags_pkey$/
  return [...accesses].filter((access) => !ofSmallTables.test(access)).sort()
}

const view = (own: Partial<View>): View => ({ ...everything, isIntermediate: false, ...own })
const onBoard = (own: Partial<View>) => view({ ...own, boardId: boardIds[3] ?? '' })

const orders: [index: string, own: Partial<View>][] = [
  ['created', {}],
  ['created', { orderDir: 'ASC' }],
  ['starred', { starredFirst: true }],
  ['taken', { orderBy: 'taken_at', starredFirst: true }],
  ['name', { orderBy: 'name', starredFirst: true }],
  ['size', { orderBy: 'size', starredFirst: true }],
]

/** Lists that merge the ranges of images and videos. */
const merged: typeof orders = [
  ['created', { kind: 'all' }],
  ['created', { kind: 'all', categories: ['user', 'mask'] }],
  ['starred', { kind: 'all', starredFirst: true }],
  ['name', { kind: 'all', orderBy: 'name', starredFirst: true }],
]

test.each(orders)('reads a page from the index %s, in its order (%j)', async (index, own) => {
  const front = { offset: 0, limit: 10 }
  const after = { after: nameAt(3000), limit: 10 }

  const byKey = ['images_image_name_key', 'images_pkey']
  for (const [scope, viewOf] of [
    ['all', view],
    ['board', onBoard],
  ] as const) {
    const page = (window: typeof front | typeof after) => () =>
      records.images.page(viewOf(own), window)
    expect(await accessesOf(page(front))).toEqual([`${scope}_${index}`, 'images_pkey'])
    expect(await accessesOf(page(after))).toEqual([`${scope}_${index}`, ...byKey])
  }
})

const skippedRows = () =>
  queries.flatMap(({ sql, parameters }) =>
    / OFFSET /.test(sql) ? [Number(parameters.at(-1))] : [],
  )

test.each(orders)(
  'reads a page in the middle of %s by the counts of buckets (%j)',
  async (index, own) => {
    const page = () => records.images.page(view(own), { offset: IMAGES / 2, limit: 10 })

    expect(await accessesOf(page)).toEqual([`all_${index}`, 'images_pkey', 'order_buckets_by_key'])
    expect(Math.max(...skippedRows())).toBeLessThan(2 * BUCKET_IMAGES)
  },
)

test.each(orders)('reads a position of %s by the counts of buckets (%j)', async (index, own) => {
  const position = () => records.images.position(view(own), nameAt(IMAGES / 2))

  const byKey = ['images_image_name_key', 'images_pkey', 'order_buckets_by_key']
  expect([`all_${index}`, ...byKey]).toEqual(expect.arrayContaining(await accessesOf(position)))
})

test.each(merged)(
  'reads a page in the middle of %s, of images and videos, by the counts of buckets (%j)',
  async (index, own) => {
    const page = () => records.images.page(view(own), { offset: IMAGES / 2, limit: 10 })

    expect(await accessesOf(page)).toEqual([`all_${index}`, 'images_pkey', 'order_buckets_by_key'])
    expect(Math.max(...skippedRows())).toBeLessThan(2 * BUCKET_IMAGES)
  },
)

test.each(merged)('merges nothing on a board without videos, in %s (%j)', async (index, own) => {
  const page = () => records.images.page(onBoard(own), { offset: 0, limit: 10 })

  expect(await accessesOf(page)).toEqual([`board_${index}`, 'images_pkey'])
})

test.each<[own: Partial<View>, offset: number, indexes: string[]]>([
  [{ kind: 'video' }, 0, ['all_duration']],
  [{ kind: 'video' }, VIDEOS / 2, ['all_duration']],
  [{ kind: 'video', starredFirst: true }, VIDEOS / 2, ['all_duration']],
  [{ kind: 'all', orderDir: 'ASC' }, 0, ['all_created']],
  [{ kind: 'all' }, VIDEOS - 5, ['all_created', 'all_duration']],
  [{ kind: 'all' }, IMAGES / 2, ['all_created', 'order_buckets_by_key']],
])(
  'reads a page by duration from its indexes, in its order (%j, at %i)',
  async (own, offset, indexes) => {
    const page = () =>
      records.images.page(view({ orderBy: 'duration', ...own }), { offset, limit: 10 })

    expect(await accessesOf(page)).toEqual([...indexes, 'images_pkey'].sort())
  },
)

test('reads a filter by duration from the index', async () => {
  const page = () =>
    records.images.page(view({ kind: 'all', minDurationMs: 5_000, maxDurationMs: 15_000 }), {
      offset: 0,
      limit: 10,
    })

  expect(await accessesOf(page)).toEqual(['all_duration', 'images_pkey', 'sorted'])
})

test('merges both halves of an order without stars', async () => {
  const page = () => records.images.page(view({ orderBy: 'size' }), { offset: 0, limit: 10 })

  expect(await accessesOf(page)).toEqual(['all_size', 'images_pkey'])
})

test.each<[string, () => Promise<unknown>, string[]]>([
  ['an image by name', () => records.images.get(nameAt(900)), ['images_image_name_key']],
  [
    'an image by upload ID',
    () => records.images.getByUploadId('upload 900'),
    ['images_upload_id_key'],
  ],
  [
    'an image by content',
    () => records.images.getByContentHash(hashAt(900)),
    ['images_image_name_key', 'same_bytes', 'sorted'],
  ],
  [
    'images by name',
    () => records.images.listByNames([nameAt(900), nameAt(901)]),
    ['images_image_name_key'],
  ],
  [
    'a board',
    () => records.boards.get(boardIds[0] ?? ''),
    ['board_starred', 'images_image_name_key'],
  ],
  ['counts', () => records.images.countIntermediates(), []],
])('reads %s from indexes only', async (_, work, expected) => {
  expect(await accessesOf(work)).toEqual(expected)
})

test('lists boards of a new database, without statistics, from the indexes of covers', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const statements: CompiledQuery[] = []
  const fresh = await openPostgresRecords({ url, onQuery: (query) => void statements.push(query) })
  const reader = new pg.Client({ connectionString: url, options: '-c search_path=tessera' })
  await reader.connect()
  onTestFinished(async () => {
    await fresh.close()
    await reader.end()
  })
  const board = await fresh.boards.create({ board_name: 'Board', board_visibility: 'shared' })
  await fresh.images.addMany(
    Array.from({ length: 500 }, (_, at) =>
      newImage(nameAt(at), { board_id: at % 2 ? board.board_id : null, content_hash: hashAt(at) }),
    ),
  )
  statements.length = 0

  await fresh.boards.list({ orderBy: 'created_at', direction: 'DESC', includeArchived: false })

  const list = statements.find(({ sql }) => /from "boards"/.test(sql))
  const { rows } = await reader.query(`EXPLAIN ${list?.sql}`, [...(list?.parameters ?? [])])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const ofImages = [...plan.matchAll(/(\w+) on images\b/g)].map(([, index]) => index)
  expect(ofImages.sort()).toEqual(['board_starred', 'board_starred', 'images_image_name_key'])
})

test('looks up names in a table that was empty when PostgreSQL last counted its rows', async () => {
  queries.length = 0
  await records.upkeep.forgetTombstones(Array.from({ length: 20_000 }, (_, at) => nameAt(at)))

  const [forget] = queries.filter(({ sql }) => /from "tombstones"/.test(sql))
  const { rows } = await client.query(`EXPLAIN ${forget?.sql}`, [...(forget?.parameters ?? [])])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('tombstones')
  // A join would read all tombstones for each name.
  expect(plan).not.toMatch(/Join|Nested Loop/)
})

test('finds a rare word by its index', async () => {
  const search = () => records.images.page(view({ query: '"number7"' }), { offset: 0, limit: 10 })

  expect(await accessesOf(search)).toEqual(['image_words', 'images_pkey', 'sorted'])
})

// Each in another order, because the ids of the view are cached.
test.each([
  ['a word of half of the images by its index', 'moat', 'created_at', 'image_words', 'all_starred'],
  ['a word of nearly all by the others', 'castle', 'size', 'all image_search', 'all_size'],
] as const)('finds %s, without joining and sorting', async (_, word, orderBy, access, index) => {
  const own = view({ query: `"${word}"`, orderBy, starredFirst: true })
  const search = () => records.images.page(own, { offset: 0, limit: 10 })

  expect(await accessesOf(search)).toEqual([access, index, 'images_pkey'].sort())
})

test.each([
  ['deleted_at', 'trashed'],
  ['created_at', 'trashed_created'],
  ['taken_at', 'trashed_dated'],
  ['name', 'trashed_name'],
  ['size', 'trashed_size'],
] as const)('reads a page of the trash by %s from its index', async (orderBy, index) => {
  const page = () => records.trash.page({ offset: 0, limit: 10, orderBy })

  expect(await accessesOf(page)).toContain(index)
})

test.each<[string, () => Promise<unknown>, string[]]>([
  [
    'starts an item',
    () => records.queue.startNext('cpu', LEASE_MS),
    ['queue_by_batch', 'queue_items_pkey', 'queue_next', 'queue_waiting'],
  ],
  ['renews an item', () => records.queue.renew([30], LEASE_MS), ['queue_running']],
  ['looks for items of dead processes', () => records.queue.recover(), ['queue_running']],
  ['reads the status of the processors', () => records.processors.status(), ['queue_running']],
])('%s without reading the whole queue', async (_, work, indexes) => {
  const ofItems = (await accessesOf(work)).filter(
    (access) => !/queue_(?:batches|claims|counts|processors|sessions)/.test(access),
  )

  expect(ofItems).toEqual(indexes)
})
