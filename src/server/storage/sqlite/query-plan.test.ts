import { createHash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LibraryChange } from '#server/core/changes/change-ports.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { AffectedItems, WhichItems } from '#server/core/queue/queue-ports.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { logChange } from '#server/storage/sql/changes/change-log.ts'
import { recordsOf } from '#server/storage/sql/records-of.ts'
import { remoteUnits } from '#server/storage/sql/remote-units.ts'
import type { Tables } from '#server/storage/sql/tables.ts'
import { unitKinds, unitNamed } from '#server/storage/sql/units.ts'
import { calendarOf } from '#server/storage/sql/views/calendar.ts'
import { getOrderKey, type OpenedView } from '#server/storage/sql/views/opened-view.ts'
import { ReadCache } from '#server/storage/sqlite/cache/read-cache.ts'
import { repairSchema } from '#server/storage/sqlite/upkeep/check-database.ts'
import { openView, viewReadingOf } from '#server/storage/sqlite/views/open-view.ts'
import { everything, newImage, prompted } from '#testing/ports/new-image.ts'
import { ended, LEASE_MS, newBatch, times } from '#testing/ports/queue-contract.ts'
import { migrate } from './migrate.ts'
import { LibraryDialect } from './sqlite-dialect.ts'

const IMAGES = 2_000
const TRASHED_IMAGES = 200
const VIDEOS = 200
const BOARDS = 20
const BATCHES = 300

/** Every statement runs with lists of these lengths. */
const COUNTS = [1, 2, 100]

const list = <T>(count: number, itemAt: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => itemAt(at))

const nameAt = (at: number) => `${at}.png`
const trashedNameAt = (at: number) => nameAt(IMAGES - 1 - at)
const hashAt = (at: number) => createHash('sha256').update(String(at)).digest('hex')
const fileAt = (at: number) => ({ path: `/from/${at}.png`, bytes: at, modifiedAt: at })

const aWorkflow = {
  ...{ workflow_id: 'a', name: 'A', description: '', category: 'user' as const, tags: '' },
  workflow: '{}',
}

const aSearch = {
  ...{ search_id: 'a', name: 'A', icon: null, query: 'cat', filter: null, position: null },
}

const aTagChange = (changeId: string) => ({ changeId, keptMs: 1_000_000, maxTags: 9 })

const imageAt = (at: number, boardIds: readonly string[]) =>
  newImage(nameAt(at), {
    board_id: at % 3 === 0 ? null : (boardIds[at % BOARDS] ?? null),
    is_intermediate: at % 100 === 3,
    image_category: at % 25 === 1 ? 'user' : 'general',
    starred: at % 50 === 7,
    content_hash: hashAt(at),
    upload_id: at % 2 === 0 ? `upload ${at}` : null,
    file_name: nameAt(at),
    file_size: 1000 + at,
    created_at: at * 60_000,
    ...prompted(`a castle, number ${at}`),
  })

const videoAt = (at: number, boardIds: readonly string[]) => ({
  ...imageAt(at, boardIds),
  image_name: `${at}.mp4`,
  upload_id: null,
  video: { duration_ms: at * 10, frame_rate: 24_000, codec: 'h264' as const, has_sound: false },
})

type Case = [
  run: (library: { records: FilledRecords; boardIds: readonly string[] }, count: number) => unknown,
  ...accesses: string[],
]

type FilledRecords = ReturnType<typeof recordsOf>

/**
 * Opens a library in memory that records the query plan of each statement.
 *
 * @param options.isAnalyzed - True gives SQLite statistics, which change its choices.
 */
const openPlanned = async ({ isAnalyzed }: { isAnalyzed: boolean }) => {
  const database = new Sqlite(':memory:')
  const steps = new Set<string>()
  const explain = (text: string, values: readonly unknown[]) => {
    if (!/^\s*(?:select|with|insert|replace|update|delete)\b/i.test(text)) return
    for (const row of database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values))
      steps.add((row as { detail: string }).detail)
  }
  const prepare = (text: string) => {
    const statement = database.prepare(text)
    const explained =
      <Result>(run: (values: readonly unknown[]) => Result) =>
      (values: readonly unknown[]): Result => {
        explain(text, values)
        return run(values)
      }
    return {
      reader: statement.reader,
      all: explained((values) => statement.all(values)),
      run: explained((values) => statement.run(values)),
      iterate: explained((values) => statement.iterate(values) as IterableIterator<unknown>),
    }
  }
  const db = new Kysely<Tables>({
    dialect: new LibraryDialect({ database: { prepare, close: () => void database.close() } }),
  })
  await migrate(db as Kysely<unknown>)

  const units = new Set<string>()
  const remote = remoteUnits(unitKinds, async (unit, _kind, args) => {
    units.add(unit)
    const now = Date.now()
    let change: LibraryChange = {}
    const result = await unitNamed(unit).run(
      {
        ...viewReadingOf({ db, cache: new ReadCache() }),
        now,
        repairSchema: () => repairSchema(db),
        noteChange: (noted) => {
          change = noted
        },
      },
      ...args,
    )
    await logChange(db, change, { now, origin: null })
    return result
  })
  const records = recordsOf(remote, remote)

  const boardIds = await fill(records)
  if (isAnalyzed) database.exec('ANALYZE')
  return { db, database, records, boardIds, steps, units }
}

type Planned = Awaited<ReturnType<typeof openPlanned>>

const fill = async ({ boards, images, queue, trash }: FilledRecords): Promise<string[]> => {
  const boardIds: string[] = []
  for (let at = 0; at < BOARDS; at += 1) {
    const board = { board_name: `Board ${at}`, board_visibility: 'shared' } as const
    boardIds.push((await boards.create(board)).board_id)
  }
  await images.addMany(list(IMAGES, (at) => imageAt(at, boardIds)))
  await images.addMany(list(VIDEOS, (at) => videoAt(at, boardIds)))
  await trash.trashImages(list(TRASHED_IMAGES, trashedNameAt))
  await trash.trashBoard(boardIds.at(-1) ?? '', { images: 'trash' })
  for (let at = 0; at < BATCHES; at += 1) {
    const own = { batchId: `batch ${at}`, destination: `to ${at}` }
    await queue.add(newBatch({ ...own, fieldValues: times(3), maxPending: 10_000 }))
  }
  for (let itemId = 1; itemId <= 200; itemId += 1) {
    await queue.startNext('cpu', LEASE_MS)
    await queue.end(itemId, ended())
  }
  await queue.cancel('default', { batchIds: ['batch 90', 'batch 91'] })
  return boardIds
}

/** Tables that grow with the library. A scan of the others costs nothing. */
const LARGE = new Set([
  'images',
  'image_metadata',
  'image_tags',
  'images_fts',
  'imported_files',
  'queue_batches',
  'queue_items',
  'queue_sessions',
  'tombstones',
])

/** Names that queries give to `images`. */
const ALIASES: Readonly<Record<string, string>> = { chosen: 'images', first: 'images' }

/** A lookup of single rows by a unique key. */
const BY_KEY =
  /(?:USING INTEGER PRIMARY KEY \(rowid=\?\)|USING PRIMARY KEY \([a-z_]+=\?\)|INDEX sqlite_autoindex_\w+ \([a-z_]+=\?\))/

/**
 * Returns the accesses to large tables that are not a lookup by key, as `table index (constraints)`, and `sorted` if
 * SQLite sorts.
 */
const accessesOf = (steps: Iterable<string>): string[] => {
  const accesses = new Set<string>()
  for (const step of steps) {
    const [, name = '', how = ''] = /^(?:SEARCH|SCAN) (\S+)(.*)$/.exec(step) ?? []
    const table = ALIASES[name] ?? name
    if (LARGE.has(table) && !BY_KEY.test(how))
      accesses.add(`${table}${how.replace(/ USING (?:COVERING )?INDEX/, '') || ' all rows'}`)
    if (step === 'USE TEMP B-TREE FOR ORDER BY') accesses.add('sorted')
  }
  return [...accesses].sort()
}

const newest: View = { ...everything, isIntermediate: false }
const starredFirst: View = { ...newest, starredFirst: true }

const page = (view: Partial<View>, ...accesses: string[]): Case => [
  ({ records }) => records.images.page({ ...newest, ...view }, { offset: 10, limit: 10 }),
  ...accesses,
]
const items = (
  which: WhichItems | ((count: number) => WhichItems),
  ...accesses: string[]
): Case => [
  ({ records }, count) =>
    records.queue.items('default', typeof which === 'function' ? which(count) : which),
  ...accesses,
]
const affected = (
  change: 'cancel' | 'remove',
  which: (count: number) => AffectedItems,
  ...accesses: string[]
): Case => [({ records }, count) => records.queue[change]('default', which(count)), ...accesses]

/** Reading the table of all images into memory. */
const WHOLE_VIEW = ['images all_starred (kind=? AND starred=?)', 'images board_created (kind=?)']

/** The rows of a board, in order of creation or to be sorted. */
const ON_BOARD = ['images board_created (kind=? AND board=?)', 'sorted']
const COVER = 'images board_starred (kind=? AND board>? AND board<?)'
const SAME_BYTES = ['images same_bytes (<expr>=?)', 'images trashed_bytes (<expr>=?)']
const TRASH = 'images trashed (deleted_at>?)'
const OF_TAG = 'image_tags images_by_tag (tag=?)'
const LEFT_BOARD = 'images left_a_board (left_board=?)'
const WORD = 'images_fts VIRTUAL TABLE INDEX 0:M4'
const RUNNING = 'queue_items queue_waiting (queue_id=? AND status=?)'
const OF_BATCH = 'queue_items queue_by_batch (queue_id=? AND batch_id=?)'
const WHOLE_QUEUE = ['queue_items queue_order (queue_id=?)', 'queue_items all rows', 'sorted']

/** Each unit of work with every access to a large table that it may make in addition to lookups by key. */
const cases: Readonly<Record<string, Case>> = {
  'a board': [({ records, boardIds }) => records.boards.get(boardIds[0] ?? ''), COVER],
  'all boards': [
    ({ records }) =>
      records.boards.list({ orderBy: 'board_name', direction: 'ASC', includeArchived: false }),
    COVER,
    'sorted',
  ],
  'creating a board': [
    ({ records }) => records.boards.create({ board_name: 'b', board_visibility: 'shared' }),
    COVER,
  ],
  'renaming a board and choosing its cover': [
    ({ records, boardIds }) => {
      const changes = { board_name: 'b', cover_image_name: nameAt(1) }
      return records.boards.update(boardIds[1] ?? '', changes)
    },
    COVER,
  ],
  'deleting a board': [
    ({ records, boardIds }) => records.boards.remove(boardIds[1] ?? '', { images: 'keep' }),
    ...[...ON_BOARD, TRASH, LEFT_BOARD],
  ],
  'deleting a board with its images': [
    ({ records, boardIds }) => records.boards.remove(boardIds[1] ?? '', { images: 'delete' }),
    ...[...ON_BOARD, TRASH, LEFT_BOARD],
  ],
  'the state of the library': [({ records }) => records.changes.current()],
  'changes since a state': [
    async ({ records }, count) => {
      const { state } = await records.changes.current()
      return records.changes.since(state, count, null)
    },
  ],
  'keys of client state': [({ records }) => records.clientState.keys('k')],
  'deleting client state': [({ records }) => records.clientState.delete('key')],
  'client state': [({ records }) => records.clientState.get('key')],
  'setting client state': [
    ({ records }) => records.clientState.set('key', 'value', { maxKeys: 9 }),
  ],

  'boards to export': [({ records }) => records.exports.boards(), 'sorted'],
  'a page of an export': [
    ({ records }) => records.exports.images(5, 100, null),
    'images USING INTEGER PRIMARY KEY (rowid>?)',
  ],
  'a page of an export of some boards': [
    ({ records, boardIds }, count) => records.exports.images(5, 100, boardIds.slice(0, count)),
    'images USING INTEGER PRIMARY KEY (rowid>?)',
  ],
  'counting an export of some boards': [
    ({ records, boardIds }, count) => records.exports.count(boardIds.slice(0, count)),
  ],
  'counting an export': [({ records }) => records.exports.count(null)],

  'an image by name': [({ records }) => records.images.get(nameAt(1))],
  'an image by upload ID': [
    ({ records }) => records.images.getByUploadId('upload 2'),
    'images uploads (upload_id=?)',
  ],
  'an image by content': [
    ({ records }) => records.images.getByContentHash(hashAt(1)),
    'images same_bytes (<expr>=?)',
  ],
  'images by name': [({ records }, count) => records.images.listByNames(list(count, nameAt))],
  'the metadata of an image': [({ records }) => records.images.metadata(nameAt(1))],
  'the metadata of images': [
    ({ records }, count) => records.images.listMetadata(list(count, nameAt)),
  ],
  'the workflow of an image': [({ records }) => records.images.embeddedJson(nameAt(1), 'workflow')],
  'which metadata an image has': [
    ({ records }) => records.images.embeddedTexts(nameAt(1)),
    'SCAN json_each VIRTUAL TABLE INDEX 1:',
  ],
  'whether an image exists': [({ records }) => records.images.isThere(nameAt(1))],
  'a video by name': [({ records }) => records.videos.get(nameAt(1))],
  'a page of videos': [
    ({ records }) => records.videos.page(newest, { offset: 5, limit: 10 }),
    'images all_created (kind=?)',
  ],
  'a page of images and videos': [
    ({ records }) => records.gallery.page({ ...newest, kind: 'all' }, { offset: 5, limit: 10 }),
    'images all_created (kind=?)',
  ],
  'adding an image': [
    ({ records }) => records.images.add(newImage('new.png', { upload_id: 'new' })),
    'images uploads (upload_id=?)',
  ],
  'adding images': [
    ({ records }, count) => records.images.addMany(list(count, (at) => newImage(`new ${at}.png`))),
  ],
  'copying images': [
    ({ records, boardIds }, count) =>
      records.images.addCopies(
        list(count, (at) => ({ image_name: `copy ${at}.png`, copy_of: nameAt(at) })),
        boardIds[1] ?? '',
      ),
  ],
  'changing an image': [({ records }) => records.images.update(nameAt(1), { starred: true })],
  'changing the poster of a video': [
    ({ records }) =>
      records.videos.setPoster(nameAt(1), {
        ...{ timeMs: 1, thumbhash: Buffer.alloc(0), fingerprint: [1, 2, 3, 4, 5] },
      }),
  ],
  'starring images': [({ records }, count) => records.images.setStarred(list(count, nameAt), true)],
  'moving images': [
    ({ records, boardIds }, count) =>
      records.images.addToBoard(list(count, nameAt), boardIds[1] ?? ''),
  ],
  'taking images off their boards': [
    ({ records }, count) => records.images.removeFromBoard(list(count, nameAt)),
  ],
  'deleting images': [({ records }, count) => records.images.remove(list(count, nameAt))],
  'deleting uncategorized images': [
    ({ records }) => records.images.removeUncategorized(),
    ...ON_BOARD,
  ],
  'counting intermediate images': [({ records }) => records.images.countIntermediates()],
  'deleting intermediate images': [
    ({ records }) => records.images.removeIntermediates(),
    'images all_created (kind=?)',
    'images all_size (kind=?)',
  ],
  'an archive of images': [
    ({ records }, count) => records.images.archiveEntries({ imageNames: list(count, nameAt) }),
  ],
  'an archive of a board': [
    ({ records, boardIds }) => records.images.archiveEntries({ boardId: boardIds[1] ?? '' }),
    ...ON_BOARD,
  ],

  'a page': page({}, 'images all_created (kind=?)'),
  'a page of two categories': page({ categories: ['user', 'mask'] }, 'images all_created (kind=?)'),
  'a page of a search for a word': page({ query: 'castle' }, WORD, 'sorted'),
  'a page of a search for a board and a word': page(
    { query: 'board castle' },
    ...[WORD, 'images_fts VIRTUAL TABLE INDEX 64:M4', ...ON_BOARD],
  ),
  'a page of a search inside words': page({ query: 'astle' }, WORD, 'images all rows', 'sorted'),
  'a page of a search for a substring': page(
    { searchTerm: 'castle' },
    'image_metadata all rows',
    'sorted',
  ),
  'a page of a search for a date': page(
    { searchTerm: '1970' },
    ...['image_metadata all rows', 'images all rows', 'sorted'],
  ),
  'every name': [
    ({ records }) => records.images.names(starredFirst),
    'images all_starred (kind=?)',
  ],
  'the names on a board': [
    ({ records }) => records.images.namesOnBoard({ ...starredFirst, boardId: 'none' }),
    'images board_starred (kind=? AND board=?)',
  ],
  'a position': [
    ({ records }) => records.images.position(newest, nameAt(1)),
    'images all_created (kind=? AND created_at=? AND id=?)',
    'images all_created (kind=? AND created_at<?)',
  ],
  days: [
    ({ records }) => records.images.days({ ...starredFirst, orderBy: 'taken_at' }, 'UTC'),
    'images all_taken (kind=? AND starred=?)',
    'images all_taken (kind=? AND starred=? AND dated_at>?)',
    'images all_taken (kind=? AND starred=? AND dated_at>? AND dated_at<?)',
  ],
  facets: [
    ({ records }) =>
      records.images.facets(
        { ...everything, query: 'model:flux lora:film seed:1 is:starred' },
        { keys: ['model', 'lora', 'board'], limit: 10, timeZone: 'UTC' },
      ),
    'images all_starred (kind=? AND starred=?)',
    // The columns of properties stay in memory.
    'images all rows',
    'sorted',
  ],
  'counting levels of tags': [
    ({ records }) =>
      records.images.facets(
        { ...everything, query: 'is:starred' },
        { keys: ['tag_level'], limit: 10, timeZone: 'UTC' },
      ),
    'images all_starred (kind=? AND starred=?)',
    'image_tags images_by_tag',
    'sorted',
  ],
  insights: [
    ({ records }) =>
      records.images.insights(
        { ...everything, query: 'is:starred' },
        { keys: ['storage', 'words', 'seeds'], limit: 10 },
      ),
    'images all_starred (kind=? AND starred=?)',
    'images all rows',
    'sorted',
  ],
  ratios: [
    ({ records }) => records.images.ratios({ ...everything, boardId: 'none' }, null),
    // The ids of a view come from its index. Ratios are read by ids, or from all rows.
    'images board_created (kind=? AND board=?)',
    'images PRIMARY KEY (rowid=?)',
  ],

  'files that an import knows': [
    ({ records }, count) =>
      records.imports.areKnown(
        list(count, (at) => ({ ...fileAt(at), uploadId: null, imageName: null })),
      ),
    ...SAME_BYTES,
  ],
  'files that an import knows by upload ID': [
    ({ records }, count) =>
      records.imports.areKnown(
        list(count, (at) => ({
          ...fileAt(at),
          uploadId: `upload ${at}`,
          imageName: nameAt(at),
        })),
      ),
    'images uploads (upload_id=?)',
  ],
  'names that are taken': [({ records }, count) => records.imports.takenNames(list(count, nameAt))],
  'bytes that are known': [({ records }) => records.imports.hasBytes(hashAt(1)), ...SAME_BYTES],
  'adding the images of an import': [
    ({ records }, count) =>
      records.imports.add(
        list(count, (at) => ({
          mark: { ...fileAt(at), contentHash: hashAt(at) },
          image: newImage(`new ${at}.png`, { content_hash: hashAt(IMAGES + at) }),
        })),
      ),
    ...SAME_BYTES,
  ],
  'a board for an import': [({ records }) => records.imports.boardNamed('Board 1')],
  'a new board for an import': [
    ({ records }) =>
      records.imports.addBoard({
        ...{ boardName: 'b', nth: 0, createdAt: 0, description: null, archived: false },
        ...{ starred: false, visibility: 'shared', position: null },
      }),
    COVER,
  ],
  'a cover from an import': [
    ({ records, boardIds }) => records.imports.setCover(boardIds[4] ?? '', 'upload 4'),
    'images uploads (upload_id=?)',
  ],
  'active imports': [
    async ({ records: { activeImports } }) => {
      const counts = { found: 1, is_counted: true, taken_in: 0, linked: 0, known: 0, refused: 0 }
      const plan = { import_id: 'i', folder: '/from', source: 'folder', boards: 'one' } as const
      await activeImports.add({
        ...{ ...plan, board_name: null, link: false, watch: false, startedAt: 1 },
        ...counts,
      })
      await activeImports.update('i', counts)
      await activeImports.list()
      await activeImports.remove('i')
    },
    'sorted',
  ],

  'a batch for the queue': [
    ({ records }, count) =>
      records.queue.add(newBatch({ fieldValues: times(count), maxPending: 10_000 })),
    ...[RUNNING, 'queue_items queue_of_batch (batch=?)', 'sorted'],
  ],
  'items by ID': items((count) => ({ itemIds: list(count, (at) => at + 1) })),
  'an item by session': items({ sessionId: 's' }),
  'the running item': items({ only: 'current' }, RUNNING),
  'the next item': items({ only: 'next' }, RUNNING),
  'the first page of the queue': items(
    { destination: null, after: null, limit: 2 },
    'queue_items queue_order (queue_id=?)',
  ),
  'a later page of the queue': items(
    { destination: null, after: { priority: 0, item_id: 5 }, limit: 2 },
    'queue_items queue_order (queue_id=? AND priority<?)',
  ),
  'the IDs of a queue': [
    ({ records }) => records.queue.itemIds('default', 'ASC'),
    'queue_items queue_order (queue_id=?)',
    'sorted',
  ],
  'the status of a queue': [({ records }) => records.queue.status('default'), RUNNING],
  'the status of a batch': [({ records }) => records.queue.batchStatus('default', 'b'), OF_BATCH],
  'the counts of a destination': [
    ({ records }) => records.queue.destinationCounts('default', 'to 1'),
  ],
  'starting an item': [
    ({ records }) => records.queue.startNext('cpu', LEASE_MS),
    ...['queue_items queue_next', OF_BATCH, RUNNING],
  ],
  'ending an item': [
    async ({ records }) => {
      await records.queue.startNext('cpu', LEASE_MS)
      await records.queue.end(201, ended())
    },
    ...['queue_items queue_next', OF_BATCH, RUNNING],
  ],
  'renewing running items': [
    ({ records }, count) =>
      records.queue.renew(
        list(count, (at) => at),
        LEASE_MS,
      ),
    'queue_items queue_waiting',
    'queue_items queue_waiting (ANY(queue_id) AND status=?)',
  ],
  'canceling an item': affected('cancel', () => ({ itemId: 300 }), OF_BATCH, RUNNING),
  'canceling batches': affected(
    'cancel',
    (count) => ({ batchIds: list(count, (at) => `batch ${at}`) }),
    ...[OF_BATCH, 'sorted'],
  ),
  'canceling for a destination': affected(
    'cancel',
    () => ({ destination: 'to 99' }),
    'queue_items queue_by_destination (queue_id=? AND destination=?)',
    'sorted',
  ),
  'canceling the queue': affected(
    'cancel',
    () => ({ those: 'waiting' }),
    ...[RUNNING, ...WHOLE_QUEUE],
  ),
  'removing ended items': affected('remove', () => ({ those: 'ended' }), RUNNING, ...WHOLE_QUEUE),
  'clearing the queue': affected('remove', () => ({ those: 'all' }), ...WHOLE_QUEUE),
  'retrying items': [
    ({ records }, count) =>
      records.queue.retry(
        'default',
        list(count, (at) => 271 + at),
        10_000,
      ),
    RUNNING,
    'sorted',
  ],
  'recovering the queue': [
    ({ records }) => records.queue.recover(),
    'queue_items queue_waiting',
    'queue_items queue_waiting (ANY(queue_id) AND status=?)',
  ],

  'images to the trash': [({ records }, count) => records.trash.trashImages(list(count, nameAt))],
  'a board to the trash': [
    ({ records, boardIds }) => records.trash.trashBoard(boardIds[1] ?? '', { images: 'trash' }),
    ...ON_BOARD,
  ],
  'a part of a board to the trash': [
    ({ records, boardIds }) =>
      records.trash.trashBoard(boardIds[1] ?? '', { images: 'trash', maxImages: 2 }),
    ...ON_BOARD,
  ],
  'restoring images and a board': [
    ({ records, boardIds }, count) =>
      records.trash.restore({
        imageNames: list(count, trashedNameAt),
        boardIds: boardIds.slice(-1),
      }),
    LEFT_BOARD,
  ],
  'restoring images to a board': [
    ({ records, boardIds }, count) =>
      records.trash.restoreTo(boardIds[0] ?? '', list(count, trashedNameAt)),
  ],
  'a page of the trash': [
    ({ records }) => records.trash.page({ offset: 0, limit: 10 }),
    ...[TRASH, LEFT_BOARD, COVER, 'sorted'],
  ],
  'the size of the trash': [
    ({ records }) => records.trash.page({ offset: 0, limit: 0, includeSize: true }),
    ...['images trashed_size', TRASH, LEFT_BOARD, COVER, 'sorted'],
  ],
  'a page of the trash by name': [
    ({ records }) => records.trash.page({ offset: 0, limit: 10, orderBy: 'name' }),
    ...['images trashed_name', TRASH, LEFT_BOARD, COVER, 'sorted'],
  ],
  'a page of the trash by size': [
    ({ records }) => records.trash.page({ offset: 0, limit: 10, orderBy: 'size' }),
    ...['images trashed_size', TRASH, LEFT_BOARD, COVER, 'sorted'],
  ],
  'emptying the trash': [
    ({ records }) => records.trash.purge(Date.now() + 1000),
    ...['images trashed (deleted_at<?)', TRASH, LEFT_BOARD],
  ],

  'the first names of all images': [
    ({ records }) => records.upkeep.allNames(null, 10),
    'images sqlite_autoindex_images_1',
  ],
  'the next names of all images': [
    ({ records }) => records.upkeep.allNames(nameAt(1), 10),
    'images sqlite_autoindex_images_1 (image_name>?)',
  ],
  'names that no image has': [
    ({ records }, count) => records.upkeep.unknownNames(list(count, nameAt)),
    'images sqlite_autoindex_images_1 (image_name=?)',
  ],
  'the number of images': [
    ({ records }) => records.upkeep.countImages(),
    'images trashed (deleted_at>?)',
  ],
  'the files of the first images': [
    ({ records }) => records.upkeep.files(null, 10),
    'images sqlite_autoindex_images_1',
  ],
  'the files of the next images': [
    ({ records }) => records.upkeep.files(nameAt(1), 10),
    'images sqlite_autoindex_images_1 (image_name>?)',
  ],
  'images to read again': [
    ({ records }) => records.rereads.list(READER_VERSION + 1, 10),
    'images by_reader (reader_version<?)',
  ],
  'images without properties': [
    ({ records }) => records.rereads.describe(10),
    'images by_reader (reader_version=?)',
  ],
  'the number of images to read again': [
    ({ records }) => records.rereads.count(READER_VERSION + 1),
    'images by_reader (reader_version<?)',
  ],
  'storing metadata that was read again': [
    ({ records }, count) => {
      const invokeai = '{"positive_prompt":"new"}'
      const read = {
        metadata: { invokeai, normal: null, workflow: null, graph: null },
        isAnimated: false,
      }
      const images = list(count, nameAt).map((imageName) => ({ imageName, read }))
      return records.rereads.store(READER_VERSION + 1, images)
    },
    'images_fts VIRTUAL TABLE INDEX 0:=',
  ],
  'the stored workflows': [({ records }) => records.workflows.list()],
  'a stored workflow': [({ records }) => records.workflows.get('a')],
  'storing a workflow': [({ records }) => records.workflows.add(aWorkflow, { maxWorkflows: 10 })],
  'changing a workflow': [({ records }) => records.workflows.update('a', { name: 'b' })],
  'opening a workflow': [({ records }) => records.workflows.markOpened('a')],
  'deleting a workflow': [({ records }) => records.workflows.remove('a')],
  'the same bytes': [
    ({ records }) => records.duplicates.sameBytes(),
    'images same_bytes',
    'images same_bytes (<expr>=?)',
  ],
  'the fingerprints of all images': [
    ({ records }) => records.duplicates.pictures(),
    'image_fingerprints all rows',
    'images all rows',
    ...WHOLE_VIEW,
  ],
  'a page of duplicates': [
    ({ records }, count) =>
      records.duplicates.page(everything, Uint32Array.of(count, ...list(count, (at) => at + 1)), {
        offset: 0,
        limit: 10,
      }),
    'images all rows',
    'sorted',
    ...WHOLE_VIEW,
  ],
  'resolving duplicates': [
    ({ records }, count) => {
      const groups = list(count, (at) => ({
        resolve_id: nameAt(at),
        keep: nameAt(2 * at),
        image_names: [nameAt(2 * at + 1)],
      }))
      return records.duplicates.resolve(groups)
    },
  ],
  'undoing resolved duplicates': [
    ({ records }, count) => records.duplicates.unresolve(list(count, nameAt)),
  ],
  'dismissing duplicates': [
    ({ records }, count) => {
      const groups = list(count, (at) => ({ image_names: [nameAt(2 * at), nameAt(2 * at + 1)] }))
      return records.duplicates.dismiss(groups)
    },
  ],
  'listing dismissed duplicates again': [
    ({ records }, count) =>
      records.duplicates.undismiss(list(count, (at) => ({ image_names: [nameAt(at)] }))),
  ],
  'the saved searches': [({ records }) => records.savedSearches.list()],
  'a saved search': [({ records }) => records.savedSearches.get('a')],
  'saving a search': [({ records }) => records.savedSearches.add(aSearch, { maxSearches: 10 })],
  'changing a saved search': [({ records }) => records.savedSearches.update('a', { name: 'b' })],
  'deleting a saved search': [({ records }) => records.savedSearches.remove('a')],
  'rating images': [({ records }, count) => records.images.setRating(list(count, nameAt), 4)],
  'tagging images': [
    ({ records }, count) =>
      records.tags.apply(list(count, nameAt), { add: ['a', 'b/c'], remove: ['d'] }, { maxTags: 9 }),
    OF_TAG,
  ],
  'the tags': [({ records }) => records.tags.list()],
  'renaming a tag': [
    ({ records }) => records.tags.update('a', { newName: 'd', color: 'red' }, aTagChange('1')),
    OF_TAG,
  ],
  'merging tags': [
    ({ records }) => records.tags.update('d', { newName: 'b' }, aTagChange('2')),
    OF_TAG,
  ],
  'deleting a tag': [({ records }) => records.tags.remove('b', aTagChange('3')), OF_TAG],
  'restoring a tag': [({ records }) => records.tags.restore('2')],
  'the age of the database': [({ records }) => records.upkeep.madeAt()],
  'remembered times': [({ records }) => records.upkeep.getTimes()],
  'the times of upkeep': [
    async ({ records }) => records.upkeep.setTimes(await records.upkeep.getTimes()),
  ],
  tombstones: [({ records }) => records.upkeep.tombstones(10), 'tombstones all rows'],
  'forgetting tombstones': [
    ({ records }, count) => records.upkeep.forgetTombstones(list(count, nameAt)),
  ],
}

const reads: [string, (view: OpenedView, key: never) => Promise<unknown>][] = [
  ['by position', (view) => view.slice(0, 2)],
  ['by position, from the end', (view) => view.slice(view.total - 2, 1)],
  [
    'by position, from anchors',
    async (view) => {
      const middle = view.total >> 1
      for (const offset of [middle, middle + 15, middle - 15]) await view.slice(offset, 5)
    },
  ],
  ['after an image', (view, key) => view.idsAfter(key, 2)],
  ['a position', (view, key) => view.positionOf(key)],
]

const longest = { kind: 'all', orderBy: 'duration' } as const

type Use = [title: string, view: Partial<View>, index: string]

const uses: Use[] = [
  ['all, newest first', newest, 'all_created'],
  ['all, oldest first', { ...newest, orderDir: 'ASC' }, 'all_created'],
  ['all, starred first', starredFirst, 'all_starred'],
  ['starred', { isStarred: true }, 'all_starred'],
  ['starred by size', { isStarred: true, orderBy: 'size' }, 'all_size'],
  ['starred on a board', { isStarred: true, boardId: 'none' }, 'board_starred'],
  ['all, starred first, oldest first', { ...starredFirst, orderDir: 'ASC' }, 'all_starred'],
  ['a board, newest first', { ...newest, boardId: 'none' }, 'board_created'],
  ['a board, oldest first', { ...newest, boardId: 'none', orderDir: 'ASC' }, 'board_created'],
  ['a board, starred first', { ...starredFirst, boardId: 'none' }, 'board_starred'],
  ['two categories', { ...starredFirst, categories: ['user', 'mask'] }, 'all_starred'],
  ['both kinds', { starredFirst: true }, 'all_starred'],
  ['images and videos', { ...newest, kind: 'all' }, 'all_created'],
  ['images and videos, starred first', { ...starredFirst, kind: 'all' }, 'all_starred'],
  [
    'images and videos of a board',
    { ...starredFirst, kind: 'all', boardId: 'none' },
    'board_starred',
  ],
  ['both kinds of a board', { boardId: 'none' }, 'board_created'],
  ['images by duration', { ...newest, orderBy: 'duration' }, 'all_created'],
  ['videos by duration', { ...newest, ...longest, kind: 'video' }, 'all_duration'],
  [
    'videos by duration, starred first',
    { ...starredFirst, ...longest, kind: 'video' },
    'all_duration',
  ],
  ['images and videos by duration', { ...newest, ...longest }, 'all_(duration|created)'],
  ['shortest first', { ...newest, ...longest, orderDir: 'ASC' }, 'all_(duration|created)'],
  [
    'longest of a board',
    { ...longest, ...starredFirst, boardId: 'none' },
    'board_(duration|starred)',
  ],
  [
    'longest of two categories',
    { ...longest, categories: ['user', 'mask'] },
    'all_(duration|created)',
  ],
  ...(['taken', 'name', 'size'] as const).flatMap((index): Use[] => {
    const orderBy = index === 'taken' ? 'taken_at' : index
    const smallestFirst = { orderBy, orderDir: 'ASC' } as const
    return [
      [`all by ${index}`, { ...newest, orderBy }, `all_${index}`],
      [`all by ${index}, smallest first`, { ...newest, ...smallestFirst }, `all_${index}`],
      [`all by ${index}, starred first`, { ...starredFirst, orderBy }, `all_${index}`],
      [
        `a board by ${index}, starred first, smallest first`,
        { ...starredFirst, ...smallestFirst, boardId: 'none' },
        `board_${index}`,
      ],
      [`two categories by ${index}`, { orderBy, categories: ['user', 'mask'] }, `all_${index}`],
      [`images and videos by ${index}`, { ...newest, kind: 'all', orderBy }, `all_${index}`],
      [`both kinds of a board by ${index}`, { orderBy, boardId: 'none' }, `board_${index}`],
    ]
  }),
]

/** Units of `tessera doctor`, which read the whole library, and one that replaces a small table without a plan. */
const UNPLANNED = new Set([
  'upkeep.clearSearch',
  'upkeep.fillSearch',
  'upkeep.repairDatabase',
  'upkeep.setTimes',
])

const isDated = ([, { orderBy = 'created_at' }]: Use) =>
  orderBy === 'created_at' || orderBy === 'taken_at'

describe.each([
  ['without statistics', { isAnalyzed: false }],
  ['with statistics', { isAnalyzed: true }],
])('%s', (_, options) => {
  let planned: Planned

  beforeAll(async () => {
    planned = await openPlanned(options)
  })

  afterAll(() => planned.db.destroy())

  test('calls every unit of work in the cases', async () => {
    planned.units.clear()
    for (const [run] of Object.values(cases)) await undone(() => run(planned, 1))

    const all = Object.entries(unitKinds).flatMap(([subject, methods]) =>
      Object.keys(methods).map((method) => `${subject}.${method}`),
    )
    const uncalled = all.filter((unit) => !planned.units.has(unit) && !UNPLANNED.has(unit))
    expect(uncalled).toEqual([])
  })

  test.each(Object.entries(cases))(
    '%s: makes no other access, for lists of any length',
    async (_, [run, ...accesses]) => {
      for (const count of COUNTS) {
        planned.steps.clear()
        await undone(() => run(planned, count))

        expect(planned.steps).not.toEqual(new Set())
        expect(accesses).toEqual(expect.arrayContaining(accessesOf(planned.steps)))
      }
    },
  )

  test.each([
    ...uses.flatMap((use) => reads.map(([how, read]) => ({ use, how, read }))),
    ...uses.filter(isDated).map((use) => ({
      use,
      how: 'days',
      read: (view: OpenedView) =>
        view.countDays(calendarOf('UTC'), { hasStarsApart: use[1].starredFirst === true }),
    })),
  ])('$use.0, $how: reads its index, in its order', async ({ use: [, own, index], read }) => {
    const view = { ...everything, ...own }
    const cache = new ReadCache({ stride: 10 })
    const opened = await openView({ db: planned.db, cache }, view)
    const key = await getOrderKey(planned.db, view.kind === 'video' ? '3.mp4' : nameAt(3), view)
    planned.steps.clear()

    await read(opened, key as never)

    const steps = [...planned.steps].filter((step) => step.includes('images'))
    expect(steps).not.toEqual([])
    for (const step of steps)
      expect(step).toMatch(new RegExp(`^SEARCH images USING COVERING INDEX ${index} `))
    expect([...planned.steps].join('\n')).not.toContain('TEMP B-TREE')
  })

  test.each([
    ['deleted_at', 'trashed'],
    ['created_at', 'trashed_created'],
    ['taken_at', 'trashed_dated'],
    ['name', 'trashed_name'],
    ['size', 'trashed_size'],
  ] as const)('reads a page of the trash by %s from its index', async (orderBy, index) => {
    planned.steps.clear()

    await planned.records.trash.page({ offset: 0, limit: 10, orderBy })

    expect([...planned.steps].join('\n')).toMatch(new RegExp(`COVERING INDEX ${index}\\b`))
  })

  const undone = async (work: () => unknown): Promise<void> => {
    planned.database.exec('SAVEPOINT before')
    await work()
    planned.database.exec('ROLLBACK TO before; RELEASE before')
  }
})
