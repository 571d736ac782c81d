import { join } from 'node:path'
import { Command } from 'commander'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { dataFlag, folderArgument, parse, readCount } from '#server/start/flags.ts'
import { StartError } from '#server/start/start-error.ts'
import { formatBytes } from '#server/start/units.ts'
import { version } from '#server/start/version.ts'
import {
  BACKUP_LOCK,
  type EarlierBackup,
  prepareBackupFolder,
  readEarlierBackup,
} from '#server/storage/backup/backup-manifest.ts'
import type { PutProgress } from '#server/storage/backup/put-images.ts'
import {
  type BackupResult,
  type BackupStage,
  writeBackup,
} from '#server/storage/backup/write-backup.ts'
import { lockFile } from '#server/storage/disk/file-lock.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import {
  assertLibrary,
  count,
  durationText,
  failureLines,
  progressWriter,
  row,
  STOPPED,
  say,
  stopOnSignals,
} from './command-line.ts'
import { addEnginesFlags, assertNoEngines } from './library-place.ts'

const HELP = `
The folder gets images/ with every original, also those in the trash, the
current database as tessera-DATE.db, and tessera-backup.json. Tessera can run
during the backup: it contains the library as it was at the start. Thumbnails are
not included, because Tessera makes them again.

Run it again at any time: only new files are copied. A stopped backup continues
where it stopped; until it is complete, the last complete backup is used. Every
new file is compared with its SHA-256, so a damaged original is reported and
never replaces a good copy.

With --link the backup uses hard links and takes no extra space for images:
original and backup are the same file. This protects from deleting, not from a
broken disk or a program that edits the file.

"tessera restore FOLDER" restores a backup.

Exit codes: 0 complete, 1 some files failed or the backup could not be made,
2 wrong usage, 130 stopped.`

interface Settings {
  /** Absolute, like the other folder. */
  folder: string
  dataFolder: string
  deep: boolean
  link: boolean
  keep: number
  prune: boolean
  json: boolean
}

function readSettings(args: readonly string[]): Settings {
  const command = new Command('tessera backup')
    .description('Backs up the library to a folder. Later backups copy only new files')
    .addArgument(folderArgument('the target folder; created if missing'))
    .option('--deep', 'compare files that are there already by SHA-256, not only by size')
    .option('--link', 'hard links instead of copies, where possible')
    .option('--keep <number>', 'number of backups whose database is kept', readCount, 3)
    .option('--prune', 'remove files that no kept backup needs')
    .option('--json', 'print only the result, as one line of JSON')
    .addOption(dataFlag())
    .addHelpText('after', HELP)
  parse(addEnginesFlags(command), args)
  assertNoEngines(command)
  const [folder = '']: string[] = command.processedArgs
  const { data: dataFolder, keep, ...flags } = command.opts()
  const off = { deep: false, link: false, prune: false, json: false }
  return { ...off, ...flags, keep, folder, dataFolder }
}

export async function runBackup(args: readonly string[]): Promise<number> {
  const settings = readSettings(args)
  const { dataFolder, json } = settings
  assertLibrary(dataFolder)
  setUmaskFor(dataFolder) // a copy of the library is as private as the library
  const stop = stopOnSignals()
  try {
    const done = await backUp(settings, stop)
    say(...(json ? [JSON.stringify(done)] : backupLines(done, settings)))
    return done.failed > 0 ? 1 : 0
  } catch (error) {
    if (!stop.aborted || error instanceof TargetFolderError) throw error
    if (!json) say('Stopped. Run the same command again to continue.')
    return STOPPED
  }
}

async function backUp(settings: Settings, signal: AbortSignal): Promise<BackupResult> {
  const { folder, dataFolder, json } = settings
  const root = await prepareBackupFolder(folder, dataFolder).catch((error) => {
    throw error instanceof TargetFolderError ? new StartError(error.message, 2) : error
  })
  const unlock = lockFile(join(root, BACKUP_LOCK))
  if (unlock === null) throw new StartError(`Another backup or restore uses ${root}.`)
  const line = progressWriter()
  try {
    if (!json) {
      say(`Backing up ${dataFolder} to ${root}`)
      say(...earlierLines(await readEarlierBackup(root)))
    }
    const show = stageLines()
    const onStage = (stage: BackupStage) => {
      if (!json) line.show(show(stage))
    }
    return await writeBackup({ ...settings, root, version, signal, onStage })
  } finally {
    line.clear()
    unlock()
  }
}

const earlierLines = (earlier: EarlierBackup | null): string[] => {
  if (earlier === null) return []
  const { newest, isInterrupted } = earlier
  return [
    ...(isInterrupted
      ? ['An earlier run was interrupted. It continues with the files that it copied.']
      : []),
    ...(newest === null
      ? []
      : [
          `The last complete backup is of ${newest.created_at}, with ${count(newest.images)} ${newest.images === 1 ? 'image' : 'images'}. Only new files are copied.`,
        ]),
  ]
}

/** Returns a function that describes the progress of a backup or restore in one line. */
export const stageLines = (): ((stage: BackupStage) => string) => {
  let startedAt: number | null = null
  return (stage) => {
    if (stage.stage === 'database') {
      return stage.share < 1
        ? `Copying the database · ${Math.floor(stage.share * 100)} %`
        : 'Checking the database'
    }
    startedAt ??= performance.now()
    return imagesLine(stage.progress, (performance.now() - startedAt) / 1000)
  }
}

const imagesLine = (now: Readonly<PutProgress>, seconds: number): string => {
  const rate = seconds > 0 ? now.done / seconds : 0
  return [
    `${count(now.done)} of ${count(now.images)} images`,
    `${count(now.copied + now.linked)} new (${formatBytes(now.newBytes)})`,
    ...(now.failed > 0 ? [`${count(now.failed)} failed`] : []),
    ...(rate > 0 ? [`${durationText((now.images - now.done) / rate)} left`] : []),
  ].join(' · ')
}

export const imageLines = (done: PutProgress): string[] => [
  ...(done.linked > 0 ? [row('As links', count(done.linked))] : []),
  row(
    'Copied',
    `${count(done.copied)}${done.linked > 0 ? '' : ` (${formatBytes(done.newBytes)})`}`,
  ),
  row('Already there', count(done.there)),
  ...failureLines(done),
]

const backupLines = (done: BackupResult, { prune }: Settings): string[] => [
  row('Images', `${count(done.images)} (${formatBytes(done.bytes)})`),
  ...imageLines(done),
  ...(done.deletedMeanwhile > 0
    ? [row('Deleted during backup', `${count(done.deletedMeanwhile)}, so not in the backup`)]
    : []),
  ...(done.leftOver > 0
    ? [
        row(
          prune ? 'Removed' : 'Of deleted images',
          `${count(done.leftOver)} files${prune ? '' : ' stay; --prune removes them'}`,
        ),
      ]
    : []),
  row('Database', `${done.database} (${formatBytes(done.databaseBytes)})`),
]
