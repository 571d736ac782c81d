import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { prepareTargetFolder } from '#server/storage/disk/target-folder.ts'

/** The manifest of a backup, which names its databases. It is written last, so that it names only complete ones. */
export const BACKUP_MANIFEST = 'tessera-backup.json'

/** The folder in a backup for incomplete files. */
export const TEMPORARY = '.tessera-backup'

/** The file in a backup that is locked while a backup or a restore uses it. */
export const BACKUP_LOCK = 'tessera-backup.lock'

/** Database name in a manual and in an automatic backup: `tessera-2026-01-31T08-05-00.123Z.db`. */
const databaseName = /^tessera-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})Z\.db$/

/** One state of the library. */
export const BackupSnapshot = Type.Object({
  database: Type.String({ pattern: databaseName.source, description: 'Its file, in the backup' }),
  created_at: Type.String({ format: 'date-time' }),
  tessera_version: Type.String(),
  images: Type.Integer({ minimum: 0, description: 'With those in the trash' }),
  image_bytes: Type.Integer({ minimum: 0 }),
  database_bytes: Type.Integer({ minimum: 0 }),
  database_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type BackupSnapshot = Static<typeof BackupSnapshot>

export const BackupManifest = Type.Object({
  tessera_backup: Type.Literal(1, { description: 'The version of this format' }),
  library: Type.String({ description: 'When the library was made: tells libraries apart' }),
  snapshots: Type.Array(BackupSnapshot, { minItems: 1, description: 'Newest first' }),
})
export type BackupManifest = Static<typeof BackupManifest>

/** Returns the name of a database that was copied at `time` (milliseconds since 1970). */
export const databaseNameAt = (time: number): string =>
  `tessera-${new Date(time).toISOString().replaceAll(':', '-')}.db`

/** Returns the time of a copied database in milliseconds since 1970. null: it has another name. */
export const timeOfDatabase = (fileName: string): number | null => {
  const [, day, hours, minutes, seconds] = databaseName.exec(fileName) ?? []
  const time = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(time) ? null : time
}

/** Returns the image folder of a backup. It has the same layout as in a data folder. */
export const imagesIn = (root: string): string => join(root, 'images')

/** @throws {TargetFolderError} Same as `prepareTargetFolder`. */
export const prepareBackupFolder = (folder: string, dataFolder: string): Promise<string> =>
  prepareTargetFolder(folder, {
    dataFolder,
    isOurs: async (root) => (await readManifest(root)) !== null || (await isUnfinished(root)),
    leftovers: [TEMPORARY, BACKUP_LOCK],
    writer: 'a backup',
  })

/** Reads the manifest of a backup. null: there is no manifest, so no backup was ever completed in this folder. */
export const readManifest = async (root: string): Promise<BackupManifest | null> => {
  const value: unknown = await readFile(join(root, BACKUP_MANIFEST), 'utf8')
    .then((text) => JSON.parse(text))
    .catch(() => null)
  return Value.Check(BackupManifest, value) ? value : null
}

/** An earlier run in the folder of a backup: complete, or interrupted, which leaves files that the next run uses. */
export interface EarlierBackup {
  /** The newest complete state; null if no run was completed. */
  newest: BackupSnapshot | null
  isInterrupted: boolean
}

/** Returns the earlier run in a folder; null if there was no run, or if it wrote no image. */
export const readEarlierBackup = async (root: string): Promise<EarlierBackup | null> => {
  const newest = (await readManifest(root))?.snapshots[0] ?? null
  const names = await readdir(root)
  const isInterrupted = names.includes(TEMPORARY) || (newest === null && names.includes('images'))
  return newest === null && !isInterrupted ? null : { newest, isInterrupted }
}

/** Returns true if a first backup was interrupted in this folder. Its images stay, and the next backup reuses them. */
const isUnfinished = async (root: string): Promise<boolean> => {
  const names = await readdir(root)
  const isOurs = (name: string) =>
    [TEMPORARY, BACKUP_LOCK, 'images'].includes(name) || timeOfDatabase(name) !== null
  return names.includes(BACKUP_LOCK) && names.every(isOurs)
}
