import { readdirSync } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseBackups } from '#server/core/upkeep/automatic-backup.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import { databaseNameAt, timeOfDatabase } from './backup-manifest.ts'
import { copyDatabase, removeDatabase } from './copy-database.ts'

/** In the data folder. `tessera restore` reads its files. */
const FOLDER = 'backups'

/** An incomplete copy in that folder. */
const UNFINISHED = 'unfinished.db'

/** Number of backups to keep, including the new one. */
const MAX_BACKUPS = 7

/** Free space required for a backup, in multiples of the database size: one for the copy, the rest for the library. */
const SPACE_FACTOR = 2

export const automaticBackups = (dataFolder: string): DatabaseBackups => ({
  newestAt: (now) => {
    const [newest] = listBackups(dataFolder, now)
    // A time in the future comes from a wrong clock.
    return newest === undefined || newest.time > now ? null : newest.time
  },
  make: (now, signal) => makeAutomaticBackup(dataFolder, now, signal),
})

/**
 * Copies the database of a library into `backups/` of its data folder, and removes all but the newest copies. The
 * copy is checked and flushed before it gets its name, so that a failure never leaves a broken backup.
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
  if (bavail * bsize < SPACE_FACTOR * (await stat(from)).size) return 'no_room'
  await copyDatabase({ from, to: unfinished }, { signal })
  await rename(unfinished, join(folder, databaseNameAt(now)))
  await flushDirectory(folder)
  await flushDirectory(dataFolder)
  for (const { path } of listBackups(dataFolder, now).slice(MAX_BACKUPS)) await rm(path)
  return 'made'
}

/** Returns a sentence that names the command to restore the newest automatic backup, or null without a backup. */
export const restoreHint = (dataFolder: string): string | null => {
  const [newest] = listBackups(dataFolder, Date.now())
  if (newest === undefined) return null
  const time = new Date(newest.time).toISOString()
  return `The newest automatic backup is of ${time}. To put it back: tessera restore "${newest.path}" --replace --data "${dataFolder}"`
}

/**
 * Copies the newest automatic backup that is not damaged.
 *
 * @returns The time of the backup in milliseconds since 1970, or null without a backup.
 */
export const copyNewestBackup = async (
  dataFolder: string,
  to: string,
  signal?: AbortSignal,
): Promise<number | null> => {
  for (const { path, time } of listBackups(dataFolder, Date.now())) {
    try {
      await copyDatabase({ from: path, to }, { signal })
      return time
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error
    }
  }
  return null
}

/** Newest first. Backups with a time in the future come last, so that they cannot displace later ones. */
const listBackups = (dataFolder: string, now: number): { path: string; time: number }[] => {
  const folder = join(dataFolder, FOLDER)
  const found = namesIn(folder).flatMap((name) => {
    const time = timeOfDatabase(name)
    return time === null ? [] : [{ path: join(folder, name), time }]
  })
  return found.sort((a, b) => Number(a.time > now) - Number(b.time > now) || b.time - a.time)
}

/** An unreadable folder must not prevent the message about a damaged library. */
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
