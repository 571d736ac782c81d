import { on } from 'node:events'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { watch } from 'chokidar'
import type { ImportSource, SourceEntry, SourceFault } from '#server/core/imports/import-ports.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import { isHidden, isMediaName } from './folder-listing.ts'
import { isStillWritten } from './is-still-written.ts'
import { openLeftFiles } from './left-files.ts'
import { type FoundFile, folderId, walkFolder } from './walk-folder.ts'

export interface FolderSourceOptions {
  library?: string
  settleMs?: number
  openMs?: number
}

/**
 * Opens a folder of images and videos with subfolders. The path of the subfolders becomes the name of the board.
 *
 * @param folder - Absolute, with symbolic links resolved.
 * @param library - A folder to skip: the library itself. Absolute, links resolved.
 * @param settleMs - How long a new file must stay unchanged. `openMs`: the same for a video that says that more follows.
 */
export const openFolderSource = async (
  folder: string,
  { library, settleMs = SETTLE_MS, openMs = OPEN_MS }: FolderSourceOptions = {},
): Promise<ImportSource> => {
  const excluded = library === undefined ? [] : [await folderId(library)]
  const left = openLeftFiles()
  return {
    kind: 'folder',
    folder,
    async *boards() {},
    async *entries(signal) {
      const visited = new Set(excluded)
      const onLeft = left.startWalk()
      for await (const found of walkFolder(folder, visited, signal, onLeft)) yield entryOf(found)
    },
    async *newFiles(since, signal) {
      const options = { since, settleMs, openMs, signal, library }
      for await (const found of watchFolder(folder, options)) yield entryOf(found)
    },
    leftFiles: left.counts,
    close: async () => {},
  }
}

const entryOf = (found: FoundFile | SourceFault): SourceEntry | SourceFault => {
  if (!('bytes' in found)) return found
  const boardName = found.relativePath.split('/').slice(0, -1).join('/')
  return { ...found, boardName: boardName || null }
}

/** A file counts as completely written if it has not changed for this long, in milliseconds. */
const SETTLE_MS = 1000
/** The same for a video that says that more follows (`isStillWritten`): its writer may pause. */
const OPEN_MS = 60_000
const POLL_MS = 100

interface WatchOptions {
  /** Milliseconds since 1970. */
  since: number
  settleMs: number
  openMs: number
  library?: string | undefined
  signal: AbortSignal
}

/**
 * Yields images and videos below a folder that were added or changed after `since`, and from now on, each as soon as it is
 * completely written. Older files are not tracked, so that the cost of a watch depends on the number of folders, not
 * of files. Links to folders are not followed.
 */
async function* watchFolder(
  folder: string,
  { since, settleMs, openMs, library, signal }: WatchOptions,
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
  const waiting = new Map<string, NodeJS.Timeout>()
  try {
    for await (const [event, path] of on(watcher, 'all', { signal })) {
      clearTimeout(waiting.get(path))
      waiting.delete(path)
      if (event !== 'add' && event !== 'change') continue
      const found = await foundAt(folder, path)
      const waitMs = 'bytes' in found ? await waitOf(found, openMs) : 0
      if (waitMs <= 0) yield found
      else waiting.set(path, setTimeout(() => watcher.emit('all', 'change', path), waitMs).unref())
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    for (const timer of waiting.values()) clearTimeout(timer)
    await watcher.close()
  }
}

/** Returns how long to wait for more of a file, in milliseconds. */
const waitOf = async ({ path, modifiedAt }: FoundFile, openMs: number): Promise<number> => {
  const isOpen = await isStillWritten(path).catch(() => false)
  return isOpen ? Math.min(openMs, modifiedAt + openMs - Date.now()) : 0
}

const isIgnored = (path: string, stats: Stats | undefined, since: number): boolean => {
  const name = basename(path)
  if (isHidden(name)) return true
  return stats?.isFile() === true && (stats.ctimeMs < since || !isMediaName(name))
}

const foundAt = async (folder: string, path: string): Promise<FoundFile | SourceFault> => {
  try {
    const { size, mtimeMs } = await stat(path)
    const relativePath = relative(folder, path).replaceAll(sep, '/')
    return { path, relativePath, bytes: size, modifiedAt: mtimeMs }
  } catch (error) {
    return { path, reason: fileReason(error) }
  }
}
