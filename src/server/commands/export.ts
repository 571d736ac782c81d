import { Command } from 'commander'
import { parseNamePattern, patternFaultText } from '#contract/downloads/name-pattern.ts'
import type { ExportNames } from '#server/core/exports/export-layout.ts'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import {
  boardIdsOf,
  type ExportProgress,
  ExportService,
} from '#server/core/exports/export-service.ts'
import { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { lockUnlessHeld } from '#server/start/data-folder-lock.ts'
import { dataFlag, folderArgument, parse } from '#server/start/flags.ts'
import { StartError } from '#server/start/start-error.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { openExportFolder } from '#server/storage/export/open-export-folder.ts'
import { openExports, openRecords } from '#server/storage/sqlite/open-records.ts'
import {
  assertLibrary,
  count,
  durationText,
  failureLines,
  progressWriter,
  row,
  STOPPED,
  say,
  shown,
  stopOnSignals,
} from './command-line.ts'
import { addEnginesFlags, type Engines, enginesOf, openEnginesLibrary } from './library-place.ts'

/** Interval of redrawing the progress line. */
const DRAWN_MS = 250

export async function runExport(args: readonly string[]): Promise<number> {
  const settings = readExportSettings(args)
  const stop = stopOnSignals()
  try {
    const done = await exportLibrary(settings, stop)
    say(...summaryLines(done))
    if (!stop.aborted) return done.failed > 0 ? 1 : 0
    say('Stopped. Run the same command again to continue. Files that are already there are kept.')
    return STOPPED
  } catch (error) {
    if (error instanceof Refusal) throw new StartError(error.message, 2, { cause: error })
    throw error
  }
}

async function exportLibrary(settings: ExportSettings, stop: AbortSignal): Promise<ExportProgress> {
  const { folder, boards, link, names, hasXmp } = settings
  const library = await openLibraryToExport(settings)
  try {
    // Check the board names before anything is created, because an unknown one is probably a typing error.
    await boardIdsOf(boards, library.exports)
    const { files } = library
    const exported = await openExportFolder(folder, library).catch((error) => {
      throw error instanceof TargetFolderError ? new StartError(error.message, 2) : error
    })
    say(`Exporting ${boards === null ? 'everything' : boards.map(shown).join(', ')} to ${folder}`)
    const service = new ExportService({
      records: library.exports,
      folder: exported,
      originals: new OriginalCheck(files),
    })
    return await showProgress((onProgress) =>
      service.run({ boards, link, names, hasXmp }, { signal: stop, onProgress }),
    )
  } finally {
    await library.close()
  }
}

async function showProgress(
  run: (onProgress: (now: ExportProgress) => void) => Promise<ExportProgress>,
): Promise<ExportProgress> {
  const line = progressWriter()
  const startedAt = performance.now()
  let drawnAt = startedAt
  try {
    return await run((now) => {
      if (performance.now() - drawnAt < DRAWN_MS) return
      drawnAt = performance.now()
      line.show(progressLine(now, (drawnAt - startedAt) / 1000))
    })
  } finally {
    line.clear()
  }
}

export const progressLine = (now: ExportProgress, seconds: number): string => {
  const done = now.copied + now.linked + now.known + now.failed
  const rate = seconds > 0 ? done / seconds : 0
  return [
    `${count(done)} of ${count(now.found)}`,
    ...(now.known > 0 ? [`${count(now.known)} already there`] : []),
    ...(now.failed > 0 ? [`${count(now.failed)} failed`] : []),
    ...(rate > 0 ? [`${durationText((now.found - done) / rate)} left`] : []),
  ].join(' · ')
}

export const summaryLines = (done: ExportProgress): string[] => [
  row('Copied', count(done.copied)),
  ...(done.linked > 0 ? [row('As links', count(done.linked))] : []),
  row('Already there', count(done.known)),
  ...failureLines(done),
]

interface LibraryToExport extends Pick<Records, 'exports' | 'close'> {
  files: ImageFiles
  /** The export must not be inside it. */
  dataFolder: string
}

/**
 * Opens a library for an export. If a server holds it, reads its records concurrently, which SQLite's WAL allows.
 * Otherwise locks it and migrates an older database.
 *
 * @throws {StartError} The folder contains no library, or the bucket cannot be used.
 * @throws {LibraryError} The library is damaged or has another version, or the database cannot be used.
 */
async function openLibraryToExport({
  dataFolder,
  engines,
}: ExportSettings): Promise<LibraryToExport> {
  if (engines !== null) {
    const { records, ...library } = await openEnginesLibrary(engines, { isReader: true })
    return { ...library, exports: records.exports, dataFolder: library.temporaryFolder }
  }
  assertLibrary(dataFolder)
  const lock = lockUnlessHeld(dataFolder)
  try {
    const { exports, close } =
      lock === null ? await openExports(dataFolder) : await openRecords({ dataFolder })
    const files = await openImageFiles({ dataFolder })
    return { exports, files, dataFolder, close: () => close().finally(lock?.release) }
  } catch (error) {
    lock?.release()
    throw error
  }
}

interface ExportSettings {
  /** Absolute, like the other folder. */
  folder: string
  dataFolder: string
  /** null: the library is in the data folder. */
  engines: Engines | null
  /** Board names; null: everything. */
  boards: string[] | null
  link: boolean
  names: ExportNames | null
  hasXmp: boolean
}

const HELP = `
Boards become folders ("A/B" becomes B inside A). Images without a board go to
the folder Assets. Each image is the original file under its original name. The
file NAME.json next to it holds board, star, category, dates, metadata and
workflow; tessera-export.json at the top describes the boards. "tessera import"
reads all of it. Images in the trash and intermediate images are not exported.

The folder must be empty or contain an earlier export. Existing files are kept,
and nothing is deleted. Run the same command again to continue a stopped export,
or to add new images later.

--names names files by a pattern, such as "{date}_{model}_{seed}_{name}". "/"
separates folders: "{board}/{year}/{name}". Fields: name, board, index, date,
time, year, month, day, generator, model, seed, steps, cfg, sampler, width,
height, rating, id. Equal names get a part of the image's permanent name. If the
name of an image changes between two exports, the image is written again, and
its earlier file stays.

--xmp also writes NAME.xmp with rating and tags of each image that has some, for
photo programs. Files that such a program changed are kept.

With --link the export uses hard links and takes no extra space. Image and
export are then the same file: a program that edits one of them changes both. Do
not use it for files that you edit.

Tessera can run with the same data folder or database during the export.

Exit codes: 0 success, 1 something failed, 2 wrong usage, 130 stopped.`

/** @throws {StartError} An argument is invalid. */
function readExportSettings(args: readonly string[]): ExportSettings {
  const command = new Command('tessera export')
    .description('Exports a library to a folder, for other programs or as an archive')
    .addArgument(folderArgument('the target folder; created if missing'))
    .option(
      '--board <name>',
      'only this board, "Assets" for images without a board; may be repeated',
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option('--names <pattern>', 'a pattern for the names of the files')
    .option('--xmp', 'also XMP files with ratings and tags')
    .option('--link', 'hard links instead of copies, where possible')
    .addOption(dataFlag())
    .addHelpText('after', HELP)
  parse(addEnginesFlags(command), args)
  const [folder = '']: string[] = command.processedArgs
  const { data: dataFolder, board: boards = null, link = false, names = null } = command.opts()
  const { xmp: hasXmp = false } = command.opts()
  const engines = enginesOf(command)
  if (engines !== null && link) throw new StartError('--link needs a data folder, not --files.', 2)
  return { folder, dataFolder, engines, boards, link, names: exportNames(names), hasXmp }
}

/** @throws {StartError} The pattern has a mistake. */
function exportNames(text: string | null): ExportNames | null {
  if (text === null) return null
  const { pattern, fault } = parseNamePattern(text)
  if (fault !== null) throw new StartError(`--names: ${patternFaultText(fault)}`, 2)
  return { pattern, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}
