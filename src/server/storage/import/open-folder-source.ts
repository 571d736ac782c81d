import { on } from 'node:events'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { watch } from 'chokidar'
import type { ImportSource, SourceEntry, SourceFault } from '#server/core/imports/import-ports.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import { isHidden, kindByName } from './folder-listing.ts'
import { type FoundFile, folderId, walkFolder } from './walk-folder.ts'

/**
 * A folder of images, and folders in it, as people and image generators keep them. The path of folders that
 * leads to a file names its board.
 *
 * @param folder - Absolute, with symbolic links resolved.
 * @param library - A folder that is passed over: the library itself. Absolute, links resolved.
 * @param settleMs - How long an arriving file must stay as it is.
 */
export const openFolderSource = async (
  folder: string,
  { library, settleMs = SETTLE_MS }: { library?: string; settleMs?: number } = {},
): Promise<ImportSource> => {
  const excluded = library === undefined ? [] : [await folderId(library)]
  return {
    kind: 'folder',
    folder,
    async *boards() {},
    async *entries(signal) {
      const visited = new Set(excluded)
      for await (const found of walkFolder(folder, visited, signal)) yield entryOf(found)
    },
    async *arrivals(since, signal) {
      const options = { since, settleMs, signal, library }
      for await (const found of watchFolder(folder, options)) yield entryOf(found)
    },
    close: async () => {},
  }
}

const entryOf = (found: FoundFile | SourceFault): SourceEntry | SourceFault => {
  if (!('bytes' in found)) return found
  const { path, folders, fileName, bytes, modifiedAt } = found
  const boardName = folders.length === 0 ? null : folders.join('/')
  return { path, relativePath: [...folders, fileName].join('/'), bytes, modifiedAt, boardName }
}

/** A file is written whole when it has stayed as it is for this long, in milliseconds. */
const SETTLE_MS = 1000
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
async function* watchFolder(
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
