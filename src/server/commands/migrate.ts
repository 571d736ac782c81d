import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { DataFolderHeldError, lockDataFolder } from '#server/start/data-folder-lock.ts'
import {
  databaseFlag,
  databaseUrlOf,
  dataFlag,
  filesFlag,
  parse,
  readFolder,
} from '#server/start/flags.ts'
import { StartError } from '#server/start/start-error.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import { type Comparison, compareLibraries } from '#server/storage/migrate/compare-libraries.ts'
import { type Migration, migrateLibrary } from '#server/storage/migrate/migrate-library.ts'
import * as sides from '#server/storage/migrate/sides.ts'
import { hasUnfinishedMigration } from '#server/storage/migrate/unfinished-folder.ts'
import { FilesStoreError } from '#server/storage/s3/s3-failure.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { assertLibrary, progressWriter, STOPPED, say, stopOnSignals } from './command-line.ts'
import { comparisonLine, comparisonLines, migrationLine, migrationLines } from './migrate-lines.ts'

const HELP = `
Copies a library from a data folder to PostgreSQL and S3, and back:

  tessera migrate --data FOLDER --database postgres://… --files s3://…
  tessera migrate --database postgres://… --files s3://… --to FOLDER

Everything is copied: boards, images with their metadata, the trash, the queue and
the state of clients. The source is never changed. Every original is compared with
its SHA-256. Run the same command again to continue a stopped migration; until it
is complete, no server opens the target.

The server of a data folder may run during the migration if it was started with
--read-only. Every server of a database must be stopped.

If an original is missing or damaged, the others are copied and it is named at the
end. Put it back and run the same command again, or add --skip-failed to finish
without it. Its record and its thumbnail are copied in any case.

--verify copies nothing. It compares all records, and reads every original on both
sides.

Exit codes: 0 complete or equal, 1 some files failed, the libraries differ or the
migration could not be made, 2 wrong usage, 130 stopped.`

interface Settings {
  /** Absolute. */
  dataFolder: string
  databaseUrl: string
  files: string
  /** True: to the data folder. */
  isBack: boolean
  verify: boolean
  skipFailed: boolean
}

function readSettings(args: readonly string[]): Settings {
  const command = new Command('tessera migrate')
    .description('Moves a library to PostgreSQL and S3, or back to a data folder')
    .addOption(dataFlag())
    .addOption(databaseFlag('the PostgreSQL database: postgres://user:password@host/name'))
    .addOption(filesFlag('the bucket, such as s3://bucket/prefix?endpoint=https://s3.example.org'))
    .option(
      '--to <folder>',
      'copy from the database and the bucket to this data folder',
      readFolder,
    )
    .option('--verify', 'compare both sides instead of copying')
    .option('--skip-failed', 'finish without originals that are missing or damaged')
    .addHelpText('after', HELP)
  parse(command, args)
  if (command.args.length > 0) throw new StartError('Folders need --data or --to (see --help).', 2)
  const { data, database, files, to, verify = false, skipFailed = false } = command.opts()
  const databaseUrl = databaseUrlOf(database)
  if (databaseUrl === null || files === undefined) {
    throw new StartError('--database and --files are needed (see --help).', 2)
  }
  if (to !== undefined && command.getOptionValueSource('data') === 'cli') {
    throw new StartError('--data and --to cannot be combined: --to is the target (see --help).', 2)
  }
  const isBack = to !== undefined
  return { dataFolder: to ?? data, databaseUrl, files, isBack, verify, skipFailed }
}

export async function runMigrate(args: readonly string[]): Promise<number> {
  const settings = readSettings(args)
  setUmaskFor(settings.dataFolder)
  const stop = stopOnSignals()
  try {
    return await (settings.verify ? verify(settings, stop) : migrate(settings, stop))
  } catch (error) {
    if (stop.aborted && !isFailure(error)) {
      say(settings.verify ? 'Stopped.' : 'Stopped. Run the same command again to continue.')
      return STOPPED
    }
    throw asStartError(error, settings)
  }
}

async function migrate(settings: Settings, signal: AbortSignal): Promise<number> {
  await using opened = await openSides(settings)
  const { source, target } = opened
  say(`Copying ${source.name} to ${target.name}`)
  const line = progressWriter()
  const show = migrationLine()
  const { skipFailed: skipsFailed } = settings
  try {
    const onProgress: Migration['onProgress'] = (progress) => line.show(show(progress))
    const done = await migrateLibrary({ ...opened, skipsFailed, signal, onProgress })
    await opened.finish(done.isFinished)
    line.clear()
    say(...migrationLines(done, startCommandOf(settings)))
    return done.failed > 0 ? 1 : 0
  } finally {
    line.clear()
  }
}

/** Returns the command that starts the server on the target, without the password of the database. */
const startCommandOf = ({ isBack, dataFolder, databaseUrl, files }: Settings): string => {
  if (isBack) return `tessera --data "${dataFolder}"`
  const url = new URL(databaseUrl)
  if (url.password !== '') url.password = '…'
  return `tessera --database "${decodeURI(url.href)}" --files "${files}"`
}

async function verify(settings: Settings, signal: AbortSignal): Promise<number> {
  await using opened = await openSides(settings)
  const { source, target } = opened
  await sides.assertSameLibrary(source, target)
  say(`Comparing ${source.name} with ${target.name}`)
  const line = progressWriter()
  try {
    const onProgress = (comparison: Readonly<Comparison>) => line.show(comparisonLine(comparison))
    const comparison = await compareLibraries(source, target, { signal, onProgress })
    line.clear()
    say(...comparisonLines(comparison))
    return comparison.differences > 0 ? 1 : 0
  } finally {
    line.clear()
  }
}

interface Opened extends Pick<Migration, 'source' | 'target' | 'copyOriginal' | 'thumbnailSizes'> {
  /** Ends a migration, if it is complete. */
  finish(isFinished: boolean): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

async function openSides(settings: Settings): Promise<Opened> {
  const { isBack } = settings
  const opened: { close(): unknown }[] = []
  const close = async () => {
    for (const part of opened.toReversed()) await part.close()
  }
  try {
    const folder = await (isBack ? openTargetFolder : openSourceFolder)(settings, opened)
    opened.push(folder)
    const engines = await sides.openEngines(settings)
    opened.push(engines)
    return { ...(await directionOf(settings, folder, engines)), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

async function directionOf(
  { dataFolder, isBack }: Settings,
  folder: sides.FolderSide,
  engines: sides.EnginesSide,
): Promise<Omit<Opened, typeof Symbol.asyncDispose>> {
  if (isBack) {
    return {
      ...{ source: engines, target: folder },
      copyOriginal: await sides.copyingToFolder(engines, folder),
      // Most images have only the first one in S3, and each question for another takes a request.
      thumbnailSizes: THUMBNAIL_SIZES.slice(0, 1),
      finish: async (isFinished) => {
        if (isFinished && hasUnfinishedMigration(dataFolder)) await sides.publishFolder(folder)
      },
    }
  }
  return {
    ...{ source: folder, target: engines },
    copyOriginal: sides.copyingToBucket(folder, engines),
    finish: async (isFinished) => {
      if (isFinished) await sides.analyze(engines)
    },
  }
}

async function openSourceFolder(
  { dataFolder }: Settings,
  opened: { close(): unknown }[],
): Promise<sides.FolderSide> {
  assertLibrary(dataFolder)
  try {
    const lock = lockDataFolder(dataFolder)
    opened.push({ close: lock.release })
    await (await openRecords({ dataFolder })).close() // migrates an older schema
  } catch (error) {
    if (!(error instanceof DataFolderHeldError)) throw error
    if (!error.isReadOnly) {
      throw new StartError(
        `Tessera is running with ${dataFolder} and may change the library. Stop it, or start it with --read-only until the migration is complete.`,
      )
    }
  }
  return sides.openFolder(dataFolder)
}

async function openTargetFolder(
  { dataFolder, verify: isComparison }: Settings,
  opened: { close(): unknown }[],
): Promise<sides.FolderSide> {
  if (isComparison) assertLibrary(dataFolder)
  const lock = lockDataFolder(dataFolder, { forMigration: !isComparison })
  opened.push({ close: lock.release })
  const isThere = existsSync(join(dataFolder, 'tessera.db'))
  return isThere ? sides.openFolder(dataFolder) : sides.openNewFolder(dataFolder)
}

const isFailure = (error: unknown): boolean =>
  [StartError, LibraryError, TargetFolderError, FilesStoreError].some(
    (kind) => error instanceof kind,
  )

/** Turns a failure into one line for the user. */
function asStartError(error: unknown, { verify }: Settings): unknown {
  if (error instanceof FilesStoreError) return new StartError(error.message, 1, { cause: error })
  if (!(error instanceof Refusal)) return error
  const next = verify ? '' : ' Run the same command again: it continues where it stopped.'
  const message = `${error.message}${next}`
  return new StartError(message, 1, { cause: error })
}
