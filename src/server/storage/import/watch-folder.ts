import { on } from 'node:events'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { watch } from 'chokidar'
import type { SourceFault } from '#server/core/import-ports.ts'
import { fileReason } from '#server/storage/disk/file-reason.ts'
import { isHidden, kindByName } from './image-file-names.ts'
import type { FoundFile } from './walk-folder.ts'

/** A file is written whole when it has stayed as it is for this long, in milliseconds. */
export const SETTLE_MS = 1000
const POLL_MS = 100

interface WatchOptions {
  /** Milliseconds since 1970. */
  since: number
  settleMs: number
  /** Passed over. */
  library?: string | undefined
  signal: AbortSignal
}

/**
 * Image files that have come or changed below a folder after `since`, and those that come from now on, each
 * when it is written whole. What is older is not held: a watch on a million files costs what their folders do.
 * Links to folders are not followed here.
 */
export async function* watchFolder(
  folder: string,
  { since, settleMs, library, signal }: WatchOptions,
): AsyncGenerator<FoundFile | SourceFault> {
  const watcher = watch(folder, {
    followSymlinks: false,
    ignored: (path, stats) =>
      path !== folder && (path === library || isIgnored(path, stats, since)),
    awaitWriteFinish: { stabilityThreshold: settleMs, pollInterval: POLL_MS },
    ignorePermissionErrors: true,
  })
  // A folder that cannot be watched must not end the watch on the others.
  watcher.on('error', () => {})
  try {
    for await (const [event, path] of on(watcher, 'all', { signal })) {
      if (event === 'add' || event === 'change') yield await foundAt(folder, path)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await watcher.close()
  }
}

const isIgnored = (path: string, stats: Stats | undefined, since: number): boolean => {
  const name = basename(path)
  if (isHidden(name)) return true
  return stats?.isFile() === true && (stats.ctimeMs < since || kindByName(name) !== 'image')
}

const foundAt = async (folder: string, path: string): Promise<FoundFile | SourceFault> => {
  try {
    const { size, mtimeMs } = await stat(path)
    const folders = relative(folder, path).split(sep)
    const fileName = folders.pop() ?? ''
    return { path, folders, fileName, bytes: size, modifiedAt: mtimeMs }
  } catch (error) {
    return { path, reason: fileReason(error) }
  }
}
