import { readdirSync } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseBackups } from '#server/core/upkeep/automatic-backup.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import { databaseNameAt, timeOfDatabase } from './backup-manifest.ts'
import { copyDatabase, removeDatabase } from './copy-database.ts'

/** In the data folder. `tessera restore` reads its files. */
const FOLDER = 'backups'

/** In that folder: a copy that is not complete. */
const UNFINISHED = 'unfinished.db'

/** Backups that stay, with the new one. */
const KEEP = 7

/** Free space that a backup needs, in sizes of the database. One is the copy; the rest is for the library. */
const ROOM = 2

/** The automatic backups of the database in a data folder. */
export const automaticBackups = (dataFolder: string): DatabaseBackups => ({
  newestAt: (now) => {
    const [newest] = listBackups(dataFolder, now)
    // A time in the future is of a clock that was wrong.
    return newest === undefined || newest.time > now ? null : newest.time
  },
  make: (now, signal) => makeAutomaticBackup(dataFolder, now, signal),
})

/**
 * Copies the database of a library into `backups/` of its data folder, and removes all but the newest copies.
 * The copy is checked and flushed before it gets its name, so a failure leaves no file with such a name.
 */
export const makeAutomaticBackup = async (
  dataFolder: string,
  now: number,
  signal?: AbortSignal,
): Promise<'made' | 'no_room'> => {
  const folder = join(dataFolder, FOLDER)
  const from = join(dataFolder, 'tessera.db')
  const unfinished = join(folder, UNFINISHED)
  await mkdir(folder, { recursive: true })
  await removeDatabase(unfinished)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM * (await stat(from)).size) return 'no_room'
  await copyDatabase({ from, to: unfinished }, { signal })
  await rename(unfinished, join(folder, databaseNameAt(now)))
  await flushDirectory(folder)
  await flushDirectory(dataFolder)
  for (const { path } of listBackups(dataFolder, now).slice(KEEP)) await rm(path)
  return 'made'
}

/** The newest automatic backup, and the command that puts it back. null: there is no automatic backup. */
export const restoreHint = (dataFolder: string): string | null => {
  const [newest] = listBackups(dataFolder, Date.now())
  if (newest === undefined) return null
  const time = new Date(newest.time).toISOString()
  return `The newest automatic backup is of ${time}. To put it back: tessera restore "${newest.path}" --replace --data "${dataFolder}"`
}

/** Newest first. Backups of a clock that was ahead come last, so that they cannot displace later ones. */
const listBackups = (dataFolder: string, now: number): { path: string; time: number }[] => {
  const folder = join(dataFolder, FOLDER)
  const found = namesIn(folder).flatMap((name) => {
    const time = timeOfDatabase(name)
    return time === null ? [] : [{ path: join(folder, name), time }]
  })
  return found.sort((a, b) => Number(a.time > now) - Number(b.time > now) || b.time - a.time)
}

/** The message about a damaged library must not fail because of a folder that cannot be read. */
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
