import type { Dirent } from 'node:fs'
import { opendir, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import pLimit from 'p-limit'
import { imageExtensions } from '#contract/image-formats.ts'
import type { FolderEntry, FolderListing } from '#contract/import-operations.ts'
import { MAX_LISTED_FOLDERS } from '#contract/limits.ts'
import { videoExtensions } from '#contract/videos/video-formats.ts'
import type { ListFolders } from '#server/core/imports/import-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'

/** Folders read at the same time: Node has four threads for disk access, and others need them too. */
const CONCURRENCY = 2

/** How long a listing waits for the counts, in milliseconds, so that a slow disk does not delay it. */
const COUNTING_MS = 1_500

const natural = new Intl.Collator('en', { numeric: true })

const kindOf = (entry: Dirent): ReturnType<typeof kindByName> =>
  entry.isDirectory() || isHidden(entry.name) ? 'other' : kindByName(entry.name)

/** Lists the subfolders of a folder and counts the images and videos in each. Only folders are opened. */
export const listFolders: ListFolders = async (asked) => {
  const path = absolutePathOf(asked)
  const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw refusalOf(cause, path)
  })
  const folders = await foldersAmong(path, entries)
  const listed = folders.slice(0, MAX_LISTED_FOLDERS)
  return {
    path,
    parents: parentsOf(path),
    image_count: entries.filter((entry) => kindOf(entry) === 'image').length,
    video_count: entries.filter((entry) => kindOf(entry) === 'video').length,
    folders: await countWithin(COUNTING_MS, listed),
    left_out: folders.length - listed.length,
  }
}

function absolutePathOf(asked: string | null): string {
  if (asked === null) return homedir()
  const path = asked.replace(/^~(?=$|[/\\])/, homedir())
  if (isAbsolute(path)) return resolve(path)
  throw new Refusal('folder_not_found', `“${asked}” is not a whole path, from the root on.`)
}

function refusalOf(cause: unknown, path: string): unknown {
  const code = systemCode(cause)
  const refuse = (as: 'folder_not_found' | 'folder_unreadable', detail: string) =>
    new Refusal(as, detail, { cause })
  if (code === 'ENOTDIR') return refuse('folder_not_found', `“${path}” is a file, not a folder.`)
  if (code === 'ENOENT' || code === 'ENAMETOOLONG' || code === 'ELOOP') {
    return refuse('folder_not_found', `There is no folder “${path}” on this machine.`)
  }
  return refuse(
    'folder_unreadable',
    code === 'EACCES' || code === 'EPERM'
      ? `The server may not read “${path}”. Give it the right to, or choose another folder.`
      : `“${path}” cannot be read.`,
  )
}

/** Links to folders count as folders. */
async function foldersAmong(path: string, entries: readonly Dirent[]): Promise<string[]> {
  const isFolder = async (entry: Dirent) =>
    entry.isDirectory() ||
    (entry.isSymbolicLink() &&
      (await stat(join(path, entry.name)).catch(() => null))?.isDirectory() === true)
  const limit = pLimit(CONCURRENCY)
  const shown = entries.filter(({ name }) => !isHidden(name))
  const names = await limit.map(shown, async (entry) => ((await isFolder(entry)) ? entry.name : []))
  return names
    .flat()
    .sort(natural.compare)
    .map((name) => join(path, name))
}

/** Folders not counted within this time get no count. */
async function countWithin(ms: number, paths: readonly string[]): Promise<FolderEntry[]> {
  const signal = AbortSignal.timeout(ms)
  const late = new Promise<void>((done) => signal.addEventListener('abort', () => done()))
  const folders = paths.map((path): FolderEntry => {
    return { name: basename(path), path, image_count: null, video_count: null, is_readable: true }
  })
  const limit = pLimit(CONCURRENCY)
  const counts = limit.map(folders, async (folder) => {
    if (!signal.aborted) Object.assign(folder, await countIn(folder.path, signal))
  })
  await Promise.race([counts, late])
  return folders.map((folder) => ({ ...folder }))
}

async function countIn(path: string, signal: AbortSignal): Promise<Partial<FolderEntry>> {
  try {
    const counts = { image: 0, video: 0, unknown: 0, other: 0 }
    for await (const entry of await opendir(path, { bufferSize: 512 })) {
      if (signal.aborted) return {}
      counts[kindOf(entry)] += 1
    }
    return { image_count: counts.image, video_count: counts.video }
  } catch {
    return { is_readable: false }
  }
}

function parentsOf(path: string): FolderListing['parents'] {
  const parents: FolderListing['parents'] = []
  for (let at = path; dirname(at) !== at; ) {
    at = dirname(at)
    parents.unshift({ name: basename(at) || at, path: at })
  }
  return parents
}

/** Images, including unsupported ones, which are refused with a reason. Other files are skipped silently. */
const extensionsOfImages = new Set([...imageExtensions, 'jp2', 'svg', 'psd'])

const extensionsOfVideos = new Set(videoExtensions)

/** Folders in which programs store small copies, trash of storage devices, and folders that macOS adds to zips. */
const skippedNames = new Set([
  '@eadir',
  '#recycle',
  '@recycle',
  '__macosx',
  '$recycle.bin',
  'system volume information',
])

/** Returns true for names that begin with a dot and for system folders. */
export const isHidden = (name: string): boolean =>
  name.startsWith('.') || skippedNames.has(name.toLowerCase())

/** Returns the extension of a file name in lower case, or `''`. */
export const extensionIn = (fileName: string): string => {
  const dot = fileName.lastIndexOf('.')
  return dot === -1 ? '' : fileName.slice(dot + 1).toLowerCase()
}

/** Returns the kind of a file by its extension. `unknown`: it has none, so its first bytes must be checked. */
export const kindByName = (fileName: string): 'image' | 'video' | 'unknown' | 'other' => {
  if (!fileName.includes('.')) return 'unknown'
  const extension = extensionIn(fileName)
  if (extensionsOfImages.has(extension)) return 'image'
  return extensionsOfVideos.has(extension) ? 'video' : 'other'
}

/** Returns true for the name of an image or a video. */
export const isMediaName = (fileName: string): boolean =>
  ['image', 'video'].includes(kindByName(fileName))
