import type { Dirent } from 'node:fs'
import { open, opendir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { SourceEntry, SourceFault } from '#server/core/imports/import-ports.ts'
import { SIDECAR_EXTENSIONS } from '#server/storage/disk/read-sidecars.ts'
import { fileReason, systemPath, textOfPath } from '#server/storage/disk/system-path.ts'
import { kindOfHead, SNIFFED_BYTES, sniffFormat } from '#server/storage/thumbnails/sniff-format.ts'
import { extensionIn, isHidden, isMediaName, kindByName } from './folder-listing.ts'

/** The file of an image or a video, according to its name and directory entry. For paths that are not UTF-8, see system-path.ts. */
export type FoundFile = Pick<SourceEntry, 'path' | 'relativePath' | 'bytes' | 'modifiedAt'>

const CONCURRENCY = 32

/**
 * Yields all images and videos below a folder: first those of a folder, then its subfolders, each sorted by name. Links to
 * files are followed, and links to folders if their target is below the root: a link to `/` must not import the
 * whole machine. Each folder is read only once. Hidden names are skipped.
 *
 * @param root - Absolute, with symbolic links resolved.
 * @param onLeft - Called for each file that is neither image nor video, with its extension.
 * @param visited - Folders to skip, as ids of `folderId`. Grows, because links may form cycles.
 */
export const walkFolder = (
  root: string,
  visited: Set<string>,
  signal: AbortSignal,
  onLeft: OnLeft = () => {},
) => {
  async function* walk(
    path: string,
    relativePath: string,
  ): AsyncGenerator<FoundFile | SourceFault> {
    const deeper: string[] = []
    const below = (name: string) => ({
      path: join(path, name),
      relativePath: relativePath === '' ? name : `${relativePath}/${name}`,
    })
    try {
      const id = await folderId(path)
      if (visited.has(id)) return
      visited.add(id)
      let batch: Candidate[] = []
      for await (const { name, isFolder } of listFolder(path, onLeft)) {
        if (signal.aborted) return
        const fileName = textOfPath(name)
        if (isFolder) deeper.push(fileName)
        else batch.push({ ...below(fileName), fileName })
        if (batch.length < CONCURRENCY) continue
        yield* filesAmong(batch, deeper, root, onLeft)
        batch = []
      }
      yield* filesAmong(batch, deeper, root, onLeft)
    } catch (error) {
      yield { path, reason: fileReason(error) }
    }
    for (const name of deeper.sort()) {
      if (signal.aborted) return
      const folder = below(name)
      yield* walk(folder.path, folder.relativePath)
    }
  }
  return walk(root, '')
}

/** The extension is in lower case, or empty. */
type OnLeft = (extension: string) => void

type Candidate = Pick<FoundFile, 'path' | 'relativePath'> & { fileName: string }

/** Returns the identity of a folder, regardless of the path it is reached by. */
export const folderId = async (path: string): Promise<string> => {
  const { dev, ino } = await stat(systemPath(path), { bigint: true })
  return `${dev}:${ino}`
}

/** Yields the files among the candidates. Adds links to folders to `deeper`, which is walked later. */
async function* filesAmong(
  candidates: readonly Candidate[],
  deeper: string[],
  root: string,
  onLeft: OnLeft,
): AsyncGenerator<FoundFile | SourceFault> {
  const looks = candidates.map((each) => lookAt(each, root, onLeft))
  for (const looked of await Promise.all(looks)) {
    if (looked === null) continue
    if (typeof looked === 'string') deeper.push(looked)
    else yield looked
  }
}

/** null: neither image nor video. Text: the name of a folder. */
const lookAt = async (
  candidate: Candidate,
  root: string,
  onLeft: OnLeft,
): Promise<FoundFile | SourceFault | string | null> => {
  const { path, relativePath, fileName } = candidate
  try {
    const stats = await stat(systemPath(path))
    if (stats.isDirectory()) {
      if (await isBelow(root, path)) return fileName
      return { path, reason: 'It is a link to a folder outside the imported folder.' }
    }
    if (!stats.isFile()) return null
    if (!(await looksLikeMedia(candidate))) {
      onLeft(extensionIn(fileName))
      return null
    }
    return { path, relativePath, bytes: stats.size, modifiedAt: stats.mtimeMs }
  } catch (error) {
    return { path, reason: fileReason(error) }
  }
}

const isBelow = async (root: string, path: string): Promise<boolean> => {
  const target = await realpath(systemPath(path), { encoding: 'latin1' })
  const folder = Buffer.from(root).toString('latin1')
  return target === folder || target.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

const looksLikeMedia = async ({ path, fileName }: Candidate): Promise<boolean> =>
  isMediaName(fileName) || (kindByName(fileName) === 'unknown' && (await startsLikeMedia(path)))

const startsLikeMedia = async (path: string): Promise<boolean> => {
  await using file = await open(systemPath(path), 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    if (kindOfHead(head) === 'image') sniffFormat(head)
    return true
  } catch {
    return false
  }
}

/** A name as one character per byte, followed by its type. One string per name saves memory with a million names. */
type Packed = string

const FOLDER = '\0d'
const SIDECAR = '\0s'
const OTHER = '\0f'

/** Number of names sorted at once: it takes a few milliseconds. */
const NAMES_PER_RUN = 8_192

/**
 * Yields the wanted names in a folder in byte order, which equals code point order in UTF-8 and does not depend on the
 * file system. The names are read once and sorted in parts, so that a huge folder does not block the event loop.
 *
 * @throws The system error if the folder cannot be read.
 */
async function* listFolder(
  path: string,
  onLeft: OnLeft,
): AsyncGenerator<{ name: Buffer; isFolder: boolean }> {
  const runs: Packed[][] = []
  let run: Packed[] = []
  // latin1 maps each byte to a character, so that names that are not UTF-8 are preserved.
  const directory = await opendir(systemPath(path), { encoding: 'latin1', bufferSize: 512 })
  for await (const entry of directory) {
    if (!isWanted(entry, onLeft)) continue
    run.push(entry.name + typeOf(entry))
    if (run.length < NAMES_PER_RUN) continue
    runs.push(run.sort())
    run = []
  }
  runs.push(run.sort())
  const sidecars = new SidecarsOfFolder(onLeft)
  for (const packed of mergeRuns(runs)) {
    const name = packed.slice(0, -FOLDER.length)
    const isSidecar = packed.endsWith(SIDECAR)
    sidecars.add(name, isSidecar)
    if (isSidecar) continue
    yield { name: Buffer.from(name, 'latin1'), isFolder: packed.endsWith(FOLDER) }
  }
  sidecars.end()
}

const typeOf = (entry: Dirent): string => {
  if (entry.isDirectory()) return FOLDER
  return entry.isFile() && isSidecarName(entry.name) ? SIDECAR : OTHER
}

const isSidecarName = (name: string): boolean => SIDECAR_EXTENSIONS.includes(extensionIn(name))

const withoutExtension = (name: string): string => name.replace(/\.[^.]*$/, '')

/**
 * Finds text files without an image or a video, which no import reads (`readSidecars`). Names with the same text before
 * the first dot are neighbors in sorted order, so only those are held in memory.
 */
class SidecarsOfFolder {
  readonly #onLeft: OnLeft
  #start = ''
  #sidecars: string[] = []
  readonly #owners = new Set<string>()

  constructor(onLeft: OnLeft) {
    this.#onLeft = onLeft
  }

  add(name: string, isSidecar: boolean): void {
    const [start = ''] = name.split('.', 1)
    if (start !== this.#start) this.end()
    this.#start = start
    if (isSidecar) this.#sidecars.push(name)
    else this.#owners.add(name).add(withoutExtension(name))
  }

  end(): void {
    for (const name of this.#sidecars) {
      if (!this.#owners.has(withoutExtension(name))) this.#onLeft(extensionIn(name))
    }
    this.#sidecars = []
    this.#owners.clear()
  }
}

/** Links are wanted whatever their name: they may lead to folders. */
const isWanted = (entry: Dirent, onLeft: OnLeft): boolean => {
  const name = Buffer.from(entry.name, 'latin1').toString('utf8')
  if (isHidden(name)) return false
  if (entry.isFile()) {
    const isOther = kindByName(name) === 'other' && !isSidecarName(name)
    if (isOther) onLeft(extensionIn(name))
    return !isOther
  }
  return entry.isDirectory() || entry.isSymbolicLink()
}

/** Merges sorted runs. A linear search suffices: a million names are about a hundred runs. */
function* mergeRuns(runs: Packed[][]): Generator<Packed> {
  const at = runs.map(() => 0)
  for (;;) {
    let least: Packed | undefined
    let from = -1
    for (const [index, run] of runs.entries()) {
      const next = run[at[index] ?? 0]
      if (next === undefined || (least !== undefined && next >= least)) continue
      least = next
      from = index
    }
    if (least === undefined) return
    at[from] = (at[from] ?? 0) + 1
    yield least
  }
}
