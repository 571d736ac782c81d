import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Value from 'typebox/value'
import { prepareTargetFolder } from '#server/storage/disk/target-folder.ts'
import {
  BACKUP_LOCK,
  BACKUP_MANIFEST,
  BackupManifest,
  TEMPORARY,
  timeOfDatabase,
} from './backup-manifest.ts'

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

/** Returns true if a first backup was interrupted in this folder. Its images stay, and the next backup reuses them. */
const isUnfinished = async (root: string): Promise<boolean> => {
  const names = await readdir(root)
  const isOurs = (name: string) =>
    [TEMPORARY, BACKUP_LOCK, 'images'].includes(name) || timeOfDatabase(name) !== null
  return names.includes(BACKUP_LOCK) && names.every(isOurs)
}
