import pLimit from 'p-limit'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { DecodedImage, ItemKind } from '#server/core/images/picture-ports.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { newImageOf } from '#server/core/intake/new-image-of.ts'
import { NameTable, timeOfName } from '#server/core/name-table.ts'
import type { DatabaseFault, RecordedFile, Upkeep } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { hasRecord } from './own-database.ts'

const FILES_PER_PAGE = 1_000

const CONCURRENCY = 8

type FileProblem =
  | 'missing_files'
  | 'wrong_size'
  | 'wrong_bytes'
  | 'unexplained_files'
  | 'unreadable_files'
  | 'stray_thumbnails'
  | 'temporary_files'

export interface Problem {
  kind: DatabaseFault['kind'] | FileProblem
  /** One sentence for the user. */
  text: string
  /** Names of the affected images; empty for damage of the database. */
  names: string[]
  isRepaired: boolean
  /** The next step for the user; null if there is nothing left to do. */
  advice: string | null
}

export interface Diagnosis {
  /** Number of image records. */
  images: number
  /** Bytes of originals whose SHA-256 was compared. */
  bytesRead: number
  problems: Problem[]
  /** Number of images whose metadata was read again; absent if this was not requested. */
  reread?: number
  /** Number of images that got the rating or tags in their files; absent if this was not requested. */
  marked?: number
}

export interface DoctorOptions {
  /** Compares the SHA-256 of every original. Default: only sizes. */
  isDeep: boolean
  /** Repairs what can be repaired. Deletes no original and no record. */
  repairs: boolean
  /** Treatment of files without a record. */
  strays: 'leave' | 'adopt' | 'set_aside'
  /** True: the records are in PostgreSQL and the files in S3. Default: false. */
  isOnEngines?: boolean
  signal: AbortSignal
  /** Called with the current step and its progress. `total` 0: unknown. */
  onProgress: (step: string, done: number, total: number) => void
}

interface DoctorParts {
  upkeep: Omit<Upkeep, 'revision' | 'now' | 'checkDisk' | 'reopen'>
  images: Pick<ImageRecords, 'add'>
  files: ImageFiles
  thumbnails: ThumbnailFiles
  codec: { decode(path: string, given: { kind: ItemKind }): Promise<DecodedImage> }
}

const RESTORE = 'Bring them back from a backup.'
const REPAIR = 'Run `tessera doctor --repair`.'

/** Finds problems of a library, and repairs them if requested. */
export class DoctorService {
  readonly #parts: DoctorParts
  readonly #options: DoctorOptions
  readonly #recorded = new NameTable()
  readonly #problems: Problem[] = []
  #images = 0
  #bytesRead = 0

  constructor(parts: DoctorParts, options: DoctorOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** @throws The reason of `signal` if it is aborted. Finished repairs remain. */
  async run(): Promise<Diagnosis> {
    await this.#checkDatabase()
    try {
      await this.#checkFiles()
      await this.#checkStrays()
      await this.#checkThumbnails()
      await this.#checkTemporaries()
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'library_damaged')) throw error
    }
    return { images: this.#images, bytesRead: this.#bytesRead, problems: this.#problems }
  }

  async #checkDatabase(): Promise<void> {
    const { upkeep } = this.#parts
    const { onProgress, repairs } = this.#options
    onProgress('Checking the database', 0, 0)
    const before = await upkeep.checkDatabase('full')
    const kinds = new Set(before.filter(({ canRepair }) => canRepair).map(({ kind }) => kind))
    if (repairs && kinds.size > 0 && before.every(({ canRepair }) => canRepair)) {
      onProgress('Repairing the database', 0, 0)
      await upkeep.repairDatabase()
      if (kinds.has('search') || kinds.has('index')) {
        await upkeep.rebuildSearch((done) => onProgress('Building the search index', done, 0))
      }
      const after = new Set((await upkeep.checkDatabase('full')).map(({ text }) => text))
      for (const fault of before) this.#addFault(fault, !after.has(fault.text))
    } else for (const fault of before) this.#addFault(fault, false)
  }

  #addFault({ kind, text, canRepair }: DatabaseFault, isRepaired: boolean): void {
    const restore = this.#options.isOnEngines
      ? 'Bring back a backup of the database.'
      : 'Bring back a backup of tessera.db, or see `tessera doctor --help` on --adopt.'
    const advice = isRepaired ? null : canRepair ? REPAIR : restore
    this.#problems.push({ kind, text, names: [], isRepaired, advice })
  }

  #add(kind: FileProblem, names: string[], text: string, advice: string | null): void {
    if (names.length === 0) return
    this.#problems.push({ kind, text, names, isRepaired: advice === null, advice })
  }

  async #checkFiles(): Promise<void> {
    const { upkeep } = this.#parts
    const { signal, onProgress, isDeep } = this.#options
    const missing = new Map<string, string>()
    const wrongSize: string[] = []
    const wrongBytes: string[] = []
    const check = async ({ imageName, bytes, contentHash }: RecordedFile) => {
      signal.throwIfAborted()
      const found = await this.#parts.files.stat(imageName)
      if (found === null) missing.set(imageName, contentHash)
      else if (found.bytes !== bytes) wrongSize.push(imageName)
      else if ((found.contentHash ?? contentHash) !== contentHash) wrongBytes.push(imageName)
      else if (isDeep && !(await this.#isWhole(imageName, contentHash, bytes))) {
        wrongBytes.push(imageName)
      }
    }
    for (let after: string | null = null; ; ) {
      const page: RecordedFile[] = await upkeep.files(after, FILES_PER_PAGE)
      for (const { imageName } of page) this.#recorded.add(imageName)
      await pLimit(CONCURRENCY).map(page, check)
      this.#images += page.length
      onProgress(isDeep ? 'Reading originals' : 'Checking originals', this.#images, 0)
      after = page.at(-1)?.imageName ?? null
      if (page.length < FILES_PER_PAGE) break
    }
    await this.#reportMissing(missing)
    const sizes = `${images(wrongSize.length)} damaged: the size is wrong.`
    this.#add('wrong_size', wrongSize, sizes, RESTORE)
    const hashes = `${images(wrongBytes.length)} damaged: the SHA-256 is wrong.`
    this.#add('wrong_bytes', wrongBytes, hashes, RESTORE)
  }

  async #isWhole(imageName: string, contentHash: string, bytes: number): Promise<boolean> {
    const { files } = this.#parts
    this.#bytesRead += bytes
    return (await files.contentHash(imageName).catch(() => null)) === contentHash
  }

  /** Reports missing originals, and takes back those found in `set-aside/`. */
  async #reportMissing(missing: ReadonlyMap<string, string>): Promise<void> {
    const { files } = this.#parts
    const lost = new Set(missing.keys())
    const found: string[] = []
    for (const file of missing.size > 0 ? await files.listSetAside() : []) {
      if (!lost.has(file.imageName)) continue
      if ((await files.setAsideHash(file)) !== missing.get(file.imageName)) continue
      lost.delete(file.imageName)
      found.push(file.imageName)
      if (this.#options.repairs) await files.takeBack(file)
    }
    const text = `${count(found.length, 'missing original is', 'missing originals are')} in set-aside/.`
    this.#add('missing_files', found, text, this.#options.repairs ? null : REPAIR)
    this.#add('missing_files', [...lost], `${images(lost.size)} without a file.`, RESTORE)
  }

  async #checkStrays(): Promise<void> {
    // A server may have added records since they were read.
    const unexplained: string[] = []
    for (const name of await this.#withoutRecord(this.#parts.files))
      if (!(await hasRecord(this.#parts.upkeep, name))) unexplained.push(name)
    if (unexplained.length === 0) return
    const text = `${count(unexplained.length, 'file has', 'files have')} no record.`
    if (this.#options.strays === 'adopt') return this.#adopt(unexplained)
    const isMoved = this.#options.strays === 'set_aside'
    if (isMoved) for (const name of unexplained) await this.#parts.files.setAside(name)
    const database = this.#options.isOnEngines ? 'database' : 'tessera.db'
    const advice = `Put the right ${database} back, or run \`tessera doctor --adopt\` to make images of them, or --set-aside to move them to set-aside/.`
    this.#add('unexplained_files', unexplained, text, isMoved ? null : advice)
  }

  async #withoutRecord({ list }: Pick<ImageFiles, 'list'>): Promise<string[]> {
    const strays: string[] = []
    for await (const { folder, imageNames } of list()) {
      const known = new Set(this.#recorded.namesIn(folder))
      strays.push(...imageNames.filter((imageName) => !known.has(imageName)))
    }
    return strays
  }

  /** Adds an image for each file, uncategorized, with the date from its name. */
  async #adopt(imageNames: readonly string[]): Promise<void> {
    const { signal, onProgress } = this.#options
    const adopted: string[] = []
    const unreadable: string[] = []
    await pLimit(2).map(imageNames, async (imageName) => {
      signal.throwIfAborted()
      const isAdded = await this.#adoptOne(imageName)
      const into = isAdded ? adopted : unreadable
      into.push(imageName)
      onProgress('Making images of files', adopted.length + unreadable.length, imageNames.length)
    })
    const text = `${count(adopted.length, 'file', 'files')} had no record and became images without a board.`
    this.#add('unexplained_files', adopted, text, null)
    this.#add(
      'unreadable_files',
      unreadable,
      `${count(unreadable.length, 'file has', 'files have')} no record and cannot be read.`,
      'Run `tessera doctor --set-aside` to move them to set-aside/.',
    )
    for (const imageName of adopted) this.#recorded.add(imageName)
  }

  async #adoptOne(imageName: string): Promise<boolean> {
    const { files, codec, thumbnails, images: records } = this.#parts
    try {
      await using file = await files.local(imageName)
      if (file === null) return false
      const { path } = file
      const kind = isVideoName(imageName) ? 'video' : 'image'
      const decoded = await codec.decode(path, { kind })
      const { bytes = 0, modifiedAt = 0 } = (await files.stat(imageName)) ?? {}
      const incoming = { path, bytes, contentHash: await files.contentHash(imageName) }
      const namedAt = timeOfName(imageName)
      const createdAt = Number.isNaN(namedAt) ? Math.round(modifiedAt) : namedAt
      const details = { category: 'user', createdAt } as const
      if (decoded.thumbnail.length > 0)
        await thumbnails.write(imageName, THUMBNAIL_SIZES[0], decoded.thumbnail)
      await records.add(newImageOf(imageName, details, incoming, decoded))
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  async #checkThumbnails(): Promise<void> {
    const { thumbnails } = this.#parts
    const strays = await this.#withoutRecord(thumbnails)
    if (this.#options.repairs) await thumbnails.remove(strays)
    const text = `${count(strays.length, 'thumbnail has', 'thumbnails have')} no image.`
    this.#add('stray_thumbnails', strays, text, this.#options.repairs ? null : REPAIR)
  }

  async #checkTemporaries(): Promise<void> {
    const names = await this.#parts.files.listTemporaries()
    if (this.#options.repairs) await this.#parts.files.sweepTemporaries()
    const text = `${count(names.length, 'temporary file is', 'temporary files are')} left over from a crash.`
    this.#add('temporary_files', names, text, this.#options.repairs ? null : REPAIR)
  }
}

const count = (value: number, one: string, many: string): string =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`

const images = (value: number): string => count(value, 'image is', 'images are')
