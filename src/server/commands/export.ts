import { drawContactSheet } from '#server/core/exports/contact-sheet.ts'
import { ConvertedExport } from '#server/core/exports/converted-export.ts'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { boardIdsOf, ExportService } from '#server/core/exports/export-service.ts'
import { formText } from '#server/core/exports/picture-forms.ts'
import { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { lockUnlessHeld } from '#server/start/data-folder-lock.ts'
import { StartError } from '#server/start/start-error.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { openConvertedFolder } from '#server/storage/export/open-converted-folder.ts'
import { openExportFolder } from '#server/storage/export/open-export-folder.ts'
import { openNewFile } from '#server/storage/export/open-new-file.ts'
import { openExports, openRecords } from '#server/storage/sqlite/open-records.ts'
import { openThumbnailFiles } from '#server/storage/thumbnails/thumbnail-files.ts'
import {
  assertLibrary,
  progressWriter,
  STOPPED,
  say,
  shown,
  stopOnSignals,
} from './command-line.ts'
import {
  convertedLines,
  countsOfConverted,
  countsOfOriginals,
  countsOfSheet,
  type DoneCounts,
  progressLine,
  sheetLines,
  summaryLines,
} from './export-lines.ts'
import { type ExportSettings, type ExportTarget, readExportSettings } from './export-settings.ts'
import { openEnginesLibrary } from './library-place.ts'

/** Interval of redrawing the progress line. */
const DRAWN_MS = 250

export async function runExport(args: readonly string[]): Promise<number> {
  const settings = readExportSettings(args)
  const stop = stopOnSignals()
  const library = await openLibraryToExport(settings)
  try {
    // Check the board names before anything is created, because an unknown one is probably a typing error.
    await boardIdsOf(settings.boards, library.exports)
    const { boards, maxPixels } = settings
    const run = { library, boards, maxPixels, stop }
    const isComplete = await exportTo(settings.target, run)
    if (stop.aborted) return STOPPED
    return isComplete ? 0 : 1
  } catch (error) {
    if (error instanceof Refusal) throw new StartError(error.message, 2, { cause: error })
    throw error
  } finally {
    await library.close()
  }
}

interface Run {
  library: LibraryToExport
  boards: string[] | null
  maxPixels: number
  stop: AbortSignal
}

type Target<Kind extends ExportTarget['kind']> = Extract<ExportTarget, { kind: Kind }>

/** Returns false if something failed or was left out. */
function exportTo(target: ExportTarget, run: Run): Promise<boolean> {
  if (target.kind === 'originals') return exportOriginals(target, run)
  return target.kind === 'converted' ? exportConverted(target, run) : exportSheet(target, run)
}

async function exportOriginals(
  { folder: path, ...request }: Target<'originals'>,
  { library, boards, stop }: Run,
): Promise<boolean> {
  const folder = await asStartError(openExportFolder(path, library))
  say(`Exporting ${textOf(boards)} to ${path}`)
  const service = new ExportService({ ...library, records: library.exports, folder })
  const done = await showProgress(countsOfOriginals, (onProgress) =>
    service.run({ ...request, boards }, { signal: stop, onProgress }),
  )
  say(...summaryLines(done), ...stoppedLines(stop))
  return done.failed === 0
}

async function exportConverted(
  { folder: path, form, ...request }: Target<'converted'>,
  { library, boards, maxPixels, stop }: Run,
): Promise<boolean> {
  const codec = await openCodec(library, maxPixels)
  try {
    const folder = await asStartError(openConvertedFolder(path, form, library))
    say(`Exporting ${textOf(boards)} to ${path}, ${formText(form)}`)
    const parts = { ...library, records: library.exports, folder, codec, onFailure: report }
    const done = await showProgress(countsOfConverted, (onProgress) =>
      new ConvertedExport(parts).run({ ...request, form, boards }, { signal: stop, onProgress }),
    )
    say(...convertedLines(done), ...stoppedLines(stop))
    return done.failed.count === 0 && done.leftOut.count === 0
  } finally {
    await codec.close()
  }
}

async function exportSheet(
  { file: path, ...request }: Target<'sheet'>,
  { library, boards, maxPixels, stop }: Run,
): Promise<boolean> {
  const { openSheetDrawer } = await import('#server/storage/conversion/draw-sheet.ts')
  const drawer = openSheetDrawer()
  if (request.hasNames && !(await drawer.canDrawNames())) {
    throw new StartError(
      'This system has no fonts for file names. Install some, such as fonts-dejavu-core, or add --no-captions.',
    )
  }
  const file = await asStartError(openNewFile(path, library))
  const codec = await openCodec(library, maxPixels)
  try {
    say(`Drawing ${textOf(boards)} to ${path}`)
    const parts = { ...library, records: library.exports, codec, draw: drawer.draw }
    const sheet = await showProgress(countsOfSheet, (onProgress) =>
      drawContactSheet(
        { ...parts, onFailure: report },
        { ...request, boards },
        { signal: stop, onProgress },
      ),
    )
    if (sheet === null) {
      say('Stopped. Nothing was written.')
      return false
    }
    await file.write(sheet.content)
    say(...sheetLines(sheet.progress))
    return sheet.progress.missing.count === 0
  } finally {
    await file.close()
    await codec.close()
  }
}

/** Loads the decoder only for exports that need it. */
async function openCodec({ dataFolder }: LibraryToExport, maxPixels: number) {
  const { openCodecProcesses } = await import('#server/storage/intake/open-file-intake.ts')
  return openCodecProcesses({ dataFolder, maxPixels })
}

const textOf = (boards: string[] | null): string =>
  boards === null ? 'everything' : boards.map(shown).join(', ')

const stoppedLines = ({ aborted }: AbortSignal): string[] =>
  aborted
    ? ['Stopped. Run the same command again to continue. Files that are already there are kept.']
    : []

/** Reports an error that the summary does not explain. */
const report = (error: unknown): void => {
  process.stderr.write(`tessera: ${error instanceof Error ? error.message : String(error)}\n`)
}

const asStartError = <T>(opening: Promise<T>): Promise<T> =>
  opening.catch((error: unknown) => {
    throw error instanceof TargetFolderError ? new StartError(error.message, 2) : error
  })

async function showProgress<Progress, Result>(
  countsOf: (now: Progress) => DoneCounts,
  run: (onProgress: (now: Progress) => void) => Promise<Result>,
): Promise<Result> {
  const line = progressWriter()
  const startedAt = performance.now()
  let drawnAt = startedAt
  try {
    return await run((now) => {
      if (performance.now() - drawnAt < DRAWN_MS) return
      drawnAt = performance.now()
      line.show(progressLine(countsOf(now), (drawnAt - startedAt) / 1000))
    })
  } finally {
    line.clear()
  }
}

interface LibraryToExport extends Pick<Records, 'exports' | 'close'> {
  files: ImageFiles
  originals: OriginalCheck
  thumbnails: ThumbnailFiles
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
    const originals = new OriginalCheck(library.files)
    return { ...library, originals, exports: records.exports, dataFolder: library.temporaryFolder }
  }
  assertLibrary(dataFolder)
  const lock = lockUnlessHeld(dataFolder)
  try {
    const { exports, close } =
      lock === null ? await openExports(dataFolder) : await openRecords({ dataFolder })
    const files = await openImageFiles({ dataFolder })
    const thumbnails = await openThumbnailFiles(dataFolder)
    const originals = new OriginalCheck(files)
    const closeAll = () => close().finally(lock?.release)
    return { exports, files, originals, thumbnails, dataFolder, close: closeAll }
  } catch (error) {
    lock?.release()
    throw error
  }
}
