import { opendir, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import type {
  ImportSource,
  SourceBoard,
  SourceEntry,
  SourceFault,
} from '#server/core/imports/import-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import { extensionIn, isHidden, isMediaName } from '#server/storage/import/folder-listing.ts'
import { openLeftFiles } from '#server/storage/import/left-files.ts'
import type { InvokeaiRoot } from './invokeai-root.ts'
import { readVideoSidecar, SIDECARS_FOLDER } from './invokeai-sidecars.ts'
import type { After, ImageRow, InvokeaiKind, InvokeaiTables } from './invokeai-tables.ts'
import type { Answer, DatabaseFault, Question } from './invokeai-worker.ts'
import { boardOfRow, recordOfRow } from './record-of-row.ts'

/** Rows per query. InvokeAI cannot write while a query runs, so it must be short. */
const ROWS_PER_PAGE = 200

const CONCURRENCY = 8

/**
 * Opens the library of InvokeAI 3.4 to 6.x, which may be running. Intermediate and deleted items are left out;
 * workflow and graph are read where InvokeAI stores them: in images, and in files beside videos.
 *
 * @throws {Refusal} `folder_unreadable`: its database is locked or damaged.
 */
export const openInvokeaiSource = async (root: InvokeaiRoot): Promise<ImportSource> => {
  const thread = openThread(root.databasePath)
  const left = openLeftFiles()
  try {
    await thread.ask('items', 'image', null, 1)
  } catch (error) {
    await thread.close()
    throw error
  }
  return {
    kind: 'invokeai',
    folder: root.folder,
    boards: () => boardsOf(thread),
    entries: (signal) => entriesOf(root, thread, { signal, onLeft: left.startWalk() }),
    leftOut: () => thread.ask('countIntermediates'),
    leftFiles: left.counts,
    close: thread.close,
  }
}

async function* boardsOf(thread: InvokeaiThread): AsyncGenerator<SourceBoard> {
  const rows = await thread.ask('boards')
  const isShared = rows.some(({ user_id }) => user_id !== null && user_id !== 'system')
  for (const row of rows) {
    const board = boardOfRow(row, isShared)
    if (board !== null) yield board
  }
}

interface Walk {
  signal: AbortSignal
  /** Called for each file that is neither image nor video, with its extension. */
  onLeft: (extension: string) => void
}

/** The folder of a kind of items. */
interface ItemFolder {
  kind: InvokeaiKind
  /** Absolute, with symbolic links resolved. */
  folder: string
  databasePath: string
}

async function* entriesOf(
  { imagesFolder, videosFolder, databasePath }: InvokeaiRoot,
  thread: InvokeaiThread,
  walk: Walk,
): AsyncGenerator<SourceEntry | SourceFault> {
  yield* entriesIn({ kind: 'image', folder: imagesFolder, databasePath }, thread, walk)
  if (videosFolder === null || walk.signal.aborted) return
  yield* entriesIn({ kind: 'video', folder: videosFolder, databasePath }, thread, walk)
}

async function* entriesIn(
  place: ItemFolder,
  thread: InvokeaiThread,
  walk: Walk,
): AsyncGenerator<SourceEntry | SourceFault> {
  const { signal } = walk
  const limit = pLimit(CONCURRENCY)
  let after: After = null
  for (;;) {
    const rows: ImageRow[] = await thread.ask('items', place.kind, after, ROWS_PER_PAGE)
    const last = rows.at(-1)
    if (last === undefined) break
    for (const entry of await limit.map(rows, (row) => entryOfRow(place, row))) {
      if (signal.aborted) return
      yield entry
    }
    after = { createdAt: last.created_at, imageName: last.image_name }
  }
  for await (const below of unrecordedFiles(place, thread, walk)) {
    if (signal.aborted) return
    yield await lookAt(place, below, 'It was removed while the folder was read.')
  }
}

const entryOfRow = async (place: ItemFolder, row: ImageRow): Promise<SourceEntry | SourceFault> => {
  const { image_name: name, image_subfolder: subfolder } = row
  if (typeof name !== 'string' || typeof subfolder !== 'string' || !isPlace(subfolder, name)) {
    return {
      path: place.databasePath,
      reason: `It names a file outside its folder: ${String(name)}`,
    }
  }
  const below = join(subfolder, name)
  const goneReason = `InvokeAI has a record of this ${place.kind}, and the file is gone.`
  const found = await lookAt(place, below, goneReason)
  if ('reason' in found) return found
  const ofRow = recordOfRow(name, row, found.modifiedAt)
  const beside = place.kind === 'video' ? await readVideoSidecar(place.folder, below) : {}
  const record = { ...ofRow, ...beside, metadata: ofRow.metadata ?? beside.metadata ?? null }
  if (typeof row.board_name !== 'string') return { ...found, record }
  return { ...found, boardName: row.board_name, boardKey: String(row.board_id), record }
}

/** Returns true if a record's folder and name lead to a path below the folder of its kind. */
const isPlace = (subfolder: string, name: string): boolean =>
  [...(subfolder === '' ? [] : subfolder.split('/')), name].every(
    (part) => part !== '' && part !== '.' && part !== '..' && !/[/\\\0]/.test(part),
  )

const lookAt = async (
  { kind, folder }: ItemFolder,
  below: string,
  goneReason: string,
): Promise<SourceEntry | SourceFault> => {
  const path = join(folder, below)
  try {
    const truePath = await realpath(path)
    if (!truePath.startsWith(folder + sep)) {
      return { path, reason: 'It is a link that leads out of the folder.' }
    }
    const { size, mtimeMs } = await stat(truePath)
    const relativePath = `outputs/${kind}s/${below.split(sep).join('/')}`
    return { path, relativePath, bytes: size, modifiedAt: mtimeMs, boardName: null }
  } catch (error) {
    const isGone = systemCode(error) === 'ENOENT'
    return { path, reason: isGone ? goneReason : 'The file cannot be read.' }
  }
}

const NAMES_PER_STEP = 500

/** Folders of InvokeAI's own files among the images or videos. */
const OWN_FOLDERS = ['thumbnails', SIDECARS_FOLDER]

/** Leaves out InvokeAI's own files. Only unrecorded names are held in memory, however many files there are. */
async function* unrecordedFiles(
  place: ItemFolder,
  thread: InvokeaiThread,
  walk: Walk,
  below = '',
): AsyncGenerator<string> {
  const folders: string[] = []
  const found: string[] = []
  let names: string[] = []
  const lookUp = async () => {
    found.push(...(await unrecorded(names, below, place.kind, thread)))
    names = []
  }
  for await (const entry of await opendir(join(place.folder, below))) {
    if (walk.signal.aborted) return
    if (entry.isDirectory() && !(below === '' && OWN_FOLDERS.includes(entry.name)))
      folders.push(entry.name)
    if (!entry.isFile() || isHidden(entry.name)) continue
    if (!isMediaName(entry.name)) {
      walk.onLeft(extensionIn(entry.name))
      continue
    }
    if (names.push(entry.name) === NAMES_PER_STEP) await lookUp()
  }
  await lookUp()
  for (const name of found.sort()) yield join(below, name)
  for (const name of folders.sort()) yield* unrecordedFiles(place, thread, walk, join(below, name))
}

const unrecorded = async (
  names: readonly string[],
  below: string,
  kind: InvokeaiKind,
  thread: InvokeaiThread,
) => {
  const rows = await thread.ask('placesOf', kind, names)
  const claimed = new Set(
    rows.map((row) => join(String(row.image_subfolder), String(row.image_name))),
  )
  return names.filter((name) => !claimed.has(join(below, name)))
}

/** `.ts` in a clone, `.js` in a build. */
const entry = new URL(`./invokeai-worker${extname(import.meta.url)}`, import.meta.url)

const reasons: Record<DatabaseFault, string> = {
  locked: 'is locked by another program. Stop InvokeAI, or try again in a moment.',
  damaged: 'is damaged. Start InvokeAI once, or put a copy from its backups in its place.',
  unreadable: 'cannot be read. See who may read the file, and whether the disk has room.',
  unknown_tables: 'does not have the tables of an InvokeAI from 3.4 to 6.x.',
}

/** Reads InvokeAI's tables in a separate thread, so that the event loop is not blocked. */
const openThread = (databasePath: string) => {
  const thread = new Piscina<Question | undefined, Answer>({
    filename: entry.href,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: databasePath,
  })
  return {
    /** @throws {Refusal} `folder_unreadable`: the database is locked, damaged, or not InvokeAI's. */
    ask: async <Name extends keyof InvokeaiTables>(
      name: Name,
      ...args: Parameters<InvokeaiTables[Name]>
    ): Promise<ReturnType<InvokeaiTables[Name]>> => {
      const answer = await thread.run({ name, args } as Question, { name: 'answer' })
      if ('value' in answer) return answer.value as ReturnType<InvokeaiTables[Name]>
      const detail = `InvokeAI's database ${databasePath} ${reasons[answer.fault]}`
      throw new Refusal('folder_unreadable', detail)
    },
    close: async () => {
      await thread.run(undefined, { name: 'close' })
      await thread.close()
    },
  }
}

type InvokeaiThread = ReturnType<typeof openThread>
