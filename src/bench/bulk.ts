import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { copyOfRecords, librariesFolder, nameAt } from '#bench/records/fill-records.ts'
import { view } from '#bench/records/record-measures.ts'
import { MAX_TAGS } from '#contract/limits.ts'
import type { Records } from '#server/core/record-ports.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'

export interface BulkBenchOptions {
  /** Number of images in the libraries. */
  rows?: number
  /** Number of images that change at once. */
  images?: number
  /** Number of images on the board that is moved to the trash. */
  boardImages?: number
  rounds?: number
  /** Folder that caches filled libraries between runs. */
  libraries?: string
}

/** A change of many images, and the minimum that SQLite must do for it with the same schema. */
interface BulkChange {
  name: string
  run(records: Records, imageNames: readonly string[], boardId: string): Promise<unknown>
  /** The start of a statement, which the condition on the names follows. */
  bare: string
}

/** The id of the tag of bare SQLite. */
const KEEP = 1_000_000

const changes: readonly BulkChange[] = [
  {
    name: 'star',
    run: ({ images }, names) => images.setStarred(names, true),
    bare: 'UPDATE images SET starred = 1, updated_at = 1',
  },
  {
    name: 'unstar',
    run: ({ images }, names) => images.setStarred(names, false),
    bare: 'UPDATE images SET starred = 0, updated_at = 2',
  },
  {
    name: 'move',
    run: ({ images }, names, boardId) => images.addToBoard(names, boardId),
    bare: 'UPDATE images SET board = 5, left_board = NULL, updated_at = 3',
  },
  {
    name: 'move back',
    run: ({ images }, names) => images.removeFromBoard(names),
    bare: 'UPDATE images SET board = 0, left_board = NULL, updated_at = 4',
  },
  {
    name: 'rate',
    run: ({ images }, names) => images.setRating(names, 4),
    bare: 'UPDATE images SET rating = 4, updated_at = 5',
  },
  {
    name: 'tag',
    run: ({ tags }, names) =>
      tags.apply(names, { add: ['keep'], remove: [] }, { maxTags: MAX_TAGS }),
    bare: `INSERT INTO image_tags (image, tag) SELECT id, ${KEEP} FROM images`,
  },
  {
    name: 'trash',
    run: ({ trash }, names) => trash.trashImages(names),
    bare: 'UPDATE images SET deleted_at = 5',
  },
  {
    name: 'restore',
    run: ({ trash }, imageNames) => trash.restore({ imageNames, boardIds: [] }),
    bare: 'UPDATE images SET deleted_at = NULL',
  },
]

/** Opens a database with the writer's settings and nothing else. */
const openBare = (dataFolder: string) => {
  const db = new Sqlite(join(dataFolder, 'tessera.db'))
  for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -32768'])
    db.pragma(setting)
  db.prepare("INSERT INTO tags (id, name, name_key, used_at) VALUES (?, 'keep', 'keep', 0)").run(
    KEEP,
  )
  return db
}

/** Measures wall time and the CPU time of all threads, in ms. A busy machine affects the second less. */
const timed = async (work: () => unknown): Promise<{ wall: number; cpu: number }> => {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - began, cpu: (user + system) / 1000 }
}
type Timed = Awaited<ReturnType<typeof timed>>

/**
 * Runs each change on its own copy of a library, alternating with bare SQLite, then moves a board to the
 * trash and back.
 */
export const bench = async (options: BulkBenchOptions = {}): Promise<Figure[]> => {
  const { rows = 1_000_000, images = 10_000, boardImages = 50_000, rounds = 3 } = options
  const libraries = await librariesFolder(options.libraries)
  const folders = [await copyOfRecords(libraries, rows), await copyOfRecords(libraries, rows)]
  const [dataFolder = '', bareFolder = ''] = folders
  const records = await openRecords({ dataFolder })
  const bare = openBare(bareFolder)
  try {
    return [
      ...(await changeMany({ records, bare, rows, images, rounds })),
      ...(await trashBoard(records, rows, boardImages, rounds)),
    ]
  } finally {
    await records.close()
    bare.close()
    for (const folder of folders) await removeFolder(folder)
    if (options.libraries === undefined) await removeFolder(libraries)
  }
}

const changeMany = async (
  given: { records: Records; bare: Sqlite.Database } & Required<
    Pick<BulkBenchOptions, 'rows' | 'images' | 'rounds'>
  >,
): Promise<Figure[]> => {
  const { records, bare, rows, images, rounds } = given
  const board = { board_name: 'Target', board_visibility: 'shared' } as const
  const { board_id } = await records.boards.create(board)
  const step = Math.max(1, Math.floor(rows / images / (rounds + 1)))
  const times = changes.map(() => ({ ours: [] as Timed[], bare: [] as Timed[] }))
  // The first round warms code and caches and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const names = Array.from({ length: images }, (_, at) =>
      nameAt((at * (rounds + 1) + round) * step),
    )
    for (const [at, change] of changes.entries()) {
      const ours = await timed(() => change.run(records, names, board_id))
      const least = await timed(() =>
        bare
          .prepare(`${change.bare}
            WHERE image_name IN (SELECT value FROM json_each(?))`)
          .run(JSON.stringify(names)),
      )
      if (round === 0) continue
      times[at]?.ours.push(ours)
      times[at]?.bare.push(least)
    }
  }
  return changes.flatMap(({ name }, at) =>
    (['wall', 'cpu'] as const).map((clock): Figure => {
      const middleOf = (all: readonly Timed[] = []) => median(all.map((each) => each[clock]))
      return {
        name: `${name}, ${images.toLocaleString('en')} of ${rows.toLocaleString('en')} images${clock === 'cpu' ? ', CPU' : ''}`,
        value: middleOf(times[at]?.ours),
        unit: 'ms',
        baseline: { name: 'bare SQLite', value: middleOf(times[at]?.bare) },
        mark: '1.5 x',
      }
    }),
  )
}

/** Moves a board with this many images to the trash and back while pages are read. */
const trashBoard = async (
  records: Records,
  rows: number,
  boardImages: number,
  rounds: number,
): Promise<Figure[]> => {
  const board = { board_name: 'Large', board_visibility: 'shared' } as const
  const { board_id } = await records.boards.create(board)
  const step = Math.floor(rows / boardImages)
  const names = Array.from({ length: boardImages }, (_, at) => nameAt(at * step))
  await records.images.addToBoard(names, board_id)
  const alone = await p99During(records, () => delay(2000))
  const there: number[] = []
  const back: number[] = []
  const meanwhile = await p99During(records, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const toTrash = () => records.trash.trashBoard(board_id, { images: 'trash' })
      there.push((await timed(toTrash)).wall)
      const restore = () => records.trash.restore({ imageNames: [], boardIds: [board_id] })
      back.push((await timed(restore)).wall)
    }
  })
  const restore = () => records.trash.restore({ imageNames: [], boardIds: [board_id] })
  const whole = { there: [] as number[], back: [] as number[] }
  const inParts = { there: [] as number[], back: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const trashWhole = () => records.trash.trashBoard(board_id, { images: 'trash' })
    whole.there.push(await longestStarDuring(records, trashWhole))
    whole.back.push(await longestStarDuring(records, restore))
    inParts.there.push(await longestStarDuring(records, () => trashInParts(records, board_id)))
    inParts.back.push(await longestStarDuring(records, () => restoreInParts(records, board_id)))
  }
  const of = `a board of ${boardImages.toLocaleString('en')} of ${rows.toLocaleString('en')} images`
  return [
    { name: `${of} to the trash`, value: median(there), unit: 'ms' },
    { name: `${of} back from the trash`, value: median(back), unit: 'ms' },
    {
      name: 'p99 of a page of 50 meanwhile',
      value: meanwhile,
      unit: 'ms',
      baseline: { name: 'with nothing else', value: alone },
      mark: 'under 25 ms',
    },
    {
      name: `longest star while ${of} goes in parts`,
      value: median(inParts.there),
      unit: 'ms',
      baseline: { name: 'at once', value: median(whole.there) },
    },
    {
      name: `longest star while ${of} comes back in parts`,
      value: median(inParts.back),
      unit: 'ms',
      baseline: { name: 'at once', value: median(whole.back) },
    },
  ]
}

/** Number of images per request, the limit of the page and the server. */
const IMAGES_PER_PART = 5_000

const trashInParts = async (records: Records, boardId: string): Promise<void> => {
  const options = { images: 'trash', maxImages: IMAGES_PER_PART } as const
  for (;;) {
    const trashed = await records.trash.trashBoard(boardId, options)
    if (trashed === null || trashed.trashed_boards.length > 0) return
  }
}

const restoreInParts = async (records: Records, boardId: string): Promise<void> => {
  const part = { imageNames: [], boardIds: [boardId], maxImagesOfBoard: IMAGES_PER_PART }
  while ((await records.trash.restore(part)).affected_boards.length > 0);
}

/** Returns the time of the slowest of many consecutive stars while other work runs. */
const longestStarDuring = async (
  records: Records,
  work: () => Promise<unknown>,
): Promise<number> => {
  let longest = 0
  let isOver = false
  const giveStars = async () => {
    while (!isOver) {
      const star = await timed(() => records.images.setStarred([nameAt(1)], true))
      longest = Math.max(longest, star.wall)
      await delay(5)
    }
  }
  const starring = giveStars()
  await work()
  isOver = true
  await starring
  return longest
}

/** Returns the 99th percentile of small consecutive pages while other work runs. */
const p99During = async (records: Records, work: () => Promise<unknown>): Promise<number> => {
  const pages: number[] = []
  let isOver = false
  const readPages = async () => {
    while (!isOver) {
      const page = () => records.images.page(view, { offset: 0, limit: 50 })
      pages.push((await timed(page)).wall)
      await delay(5)
    }
  }
  const reading = readPages()
  await work()
  isOver = true
  await reading
  pages.sort((one, other) => one - other)
  return pages[Math.floor(pages.length * 0.99)] ?? Number.NaN
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      images: { type: 'string' },
      'board-images': { type: 'string' },
      rounds: { type: 'string' },
      libraries: { type: 'string' },
    },
    strict: false,
  })
  const { rows, images, 'board-images': boardImages, rounds, libraries } = values
  const figures = await bench({
    ...(rows && { rows: Number(rows) }),
    ...(images && { images: Number(images) }),
    ...(boardImages && { boardImages: Number(boardImages) }),
    ...(rounds && { rounds: Number(rounds) }),
    ...(typeof libraries === 'string' && { libraries }),
  })
  reportFigures('bulk', figures)
}
