import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { lockDataFolder } from '#server/start/data-folder-lock.ts'
import { dataFlag, folderArgument, parse } from '#server/start/flags.ts'
import { StartError } from '#server/start/start-error.ts'
import { formatBytes } from '#server/start/units.ts'
import {
  BACKUP_MANIFEST,
  type BackupManifest,
  type BackupSnapshot,
  readManifest,
} from '#server/storage/backup/backup-manifest.ts'
import {
  type RestoreResult,
  type RestoreTarget,
  readUnfinishedRestore,
  restoreBackup,
  restoreDatabase,
} from '#server/storage/backup/restore-backup.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import { imageLines, stageLines } from './backup.ts'
import { count, progressWriter, row, STOPPED, say, stopOnSignals } from './command-line.ts'
import { addEnginesFlags, assertNoEngines } from './library-place.ts'

const HELP = `
The data folder must be new or empty. With --replace, its files are first moved
to before-restore-DATE inside it, and never deleted. Stop Tessera first.

The newest state of the backup is restored, or with --snapshot an earlier one:
one of its files tessera-DATE.db. Every file is compared with its SHA-256 when it
is copied. Run the same command again to continue a stopped restore; until it is
complete, Tessera does not open the folder. If it was complete already, the files
are compared again, and nothing else changes.

FOLDER can also be a single database, such as an automatic backup in backups/ of
the data folder. It then replaces tessera.db, and the images are kept. Files that
are newer than the database are counted; tessera doctor --adopt makes images of
them.

Exit codes: 0 complete, 1 some files failed or nothing could be restored, 2 wrong
usage, 130 stopped.`

interface Settings {
  /** Absolute, like the other folder. */
  from: string
  dataFolder: string
  snapshot: string | null
  replace: boolean
  deep: boolean
  json: boolean
}

function readSettings(args: readonly string[]): Settings {
  const command = new Command('tessera restore')
    .description('Restores a backup made by "tessera backup"')
    .addArgument(folderArgument('the backup, or a single database'))
    .option('--snapshot <file>', 'an earlier state: the name of its tessera-DATE.db')
    .option('--replace', 'set aside what is in the data folder')
    .option('--deep', 'compare files that are there already by SHA-256, not only by size')
    .option('--json', 'print only the result, as one line of JSON')
    .addOption(dataFlag())
    .addHelpText('after', HELP)
  parse(addEnginesFlags(command), args)
  assertNoEngines(command)
  const [from = '']: string[] = command.processedArgs
  const { data: dataFolder, ...flags } = command.opts()
  const off = { snapshot: null, replace: false, deep: false, json: false }
  return { ...off, ...flags, from, dataFolder }
}

export async function runRestore(args: readonly string[]): Promise<number> {
  const settings = readSettings(args)
  setUmaskFor(settings.dataFolder)
  const stop = stopOnSignals()
  try {
    const isDatabase = statSync(settings.from, { throwIfNoEntry: false })?.isFile() ?? false
    return await (isDatabase ? putDatabase(settings, stop) : restore(settings, stop))
  } catch (error) {
    if (!stop.aborted || error instanceof TargetFolderError) throw error
    if (!settings.json) say('Stopped. Run the same command again to continue.')
    return STOPPED
  }
}

async function restore(settings: Settings, signal: AbortSignal): Promise<number> {
  const { from, dataFolder, json } = settings
  const manifest = await readManifest(from)
  if (manifest === null) {
    throw new StartError(`${from} is not a complete backup: it has no valid ${BACKUP_MANIFEST}.`, 2)
  }
  const lock = lockDataFolder(dataFolder, { forRestore: true })
  const line = progressWriter()
  try {
    const snapshot = snapshotOf(manifest, settings)
    if (!json) say(`Restoring ${join(from, snapshot.database)} to ${dataFolder}`)
    const show = stageLines()
    const done = await restoreBackup({
      ...settings,
      root: from,
      snapshot,
      command: `tessera restore "${from}" --data "${dataFolder}"`,
      signal,
      onTarget: (target) => {
        if (!json) say(...targetLines(target, settings))
      },
      onProgress: (progress) => {
        if (!json) line.show(show({ stage: 'images', progress }))
      },
    })
    line.clear()
    say(...(json ? [JSON.stringify(done)] : restoreLines(done)))
    return done.failed > 0 ? 1 : 0
  } finally {
    line.clear()
    lock.release()
  }
}

const targetLines = (target: RestoreTarget, { replace }: Settings): string[] => {
  if (target === 'interrupted') return ['A restore was interrupted there. It continues.']
  if (target !== 'complete' || replace) return []
  return ['The complete library of this backup is there already. Its files are compared again.']
}

/** Returns the requested snapshot; otherwise that of an interrupted restore; otherwise the newest one. */
const snapshotOf = (
  { snapshots }: BackupManifest,
  { snapshot, dataFolder }: Settings,
): BackupSnapshot => {
  const wanted = snapshot === null ? null : basename(snapshot)
  const named = (name: string | undefined | null) =>
    snapshots.find(({ database }) => database === name)
  const chosen =
    wanted === null
      ? (named(readUnfinishedRestore(dataFolder)?.database) ?? snapshots[0])
      : named(wanted)
  if (chosen !== undefined) return chosen
  const names = snapshots.map(({ database }) => database).join(', ')
  throw new StartError(`The backup has no ${wanted}. It has ${names}.`, 2)
}

const restoreLines = (done: RestoreResult): string[] => [
  row('Images', `${count(done.images)} (${formatBytes(done.bytes)})`),
  ...imageLines(done),
  ...(done.setAside === null ? [] : [row('Set aside', done.setAside)]),
]

/** Explains the next step, because a server refuses to start if many files have no record. */
const unrecordedLines = (unrecorded: number, dataFolder: string): string[] => [
  row(
    'No record',
    `${count(unrecorded)} files in images/, such as images newer than this database`,
  ),
  '',
  'To make images of them on no board, before Tessera is started:',
  `  tessera doctor --adopt --data "${dataFolder}"`,
]

async function putDatabase(settings: Settings, signal: AbortSignal): Promise<number> {
  const { from, dataFolder, replace, json } = settings
  const lock = lockDataFolder(dataFolder)
  try {
    const isThere =
      statSync(join(dataFolder, 'tessera.db'), { throwIfNoEntry: false }) !== undefined
    if (isThere && !replace) {
      throw new StartError(`${dataFolder} has a tessera.db. Add --replace to set it aside.`, 2)
    }
    const { setAside, unrecorded } = await restoreDatabase(from, dataFolder, { signal })
    if (json) say(JSON.stringify({ database: from, setAside, unrecorded }))
    else {
      say(`${from} is the database of ${dataFolder} now.`)
      if (setAside !== null) say(row('Set aside', setAside))
      if (unrecorded > 0) say(...unrecordedLines(unrecorded, dataFolder))
    }
    return 0
  } finally {
    lock.release()
  }
}
