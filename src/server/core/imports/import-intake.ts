import { extensionOf } from '#contract/image-formats.ts'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords, NewImage } from '#server/core/images/image-ports.ts'
import type { DecodedImage } from '#server/core/images/picture-ports.ts'
import {
  commitFiles,
  imageNamesInOneFolder,
  type NamedFile,
} from '#server/core/intake/commit-files.ts'
import type { FileIntake, TakenFile } from '#server/core/intake/file-intake.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { newImageOf } from '#server/core/intake/new-image-of.ts'
import { isImageName } from '#server/core/name-table.ts'
import { Refusal } from '#server/core/refusal.ts'
import { imageDetailsOf, importedFileOf, uploadIdOf, withRecordMetadata } from './import-details.ts'
import type { SourceEntry } from './import-ports.ts'
import type { ImportOutcome, ImportRecords } from './import-records.ts'

export interface IntakeParts {
  imports: ImportRecords
  images: Pick<ImageRecords, 'get'>
  files: ImageFiles
  intake: FileIntake
  thumbnails: ThumbnailFiles
  limits: { maxUploadBytes: number }
  clock: Clock
  /** Names that current commits of all imports are about to use. Two sources may contain images with the same name. */
  reservedNames: Set<string>
}

/** A file staged under a temporary name and decoded successfully. */
export interface PreparedFile {
  /** Without its record if that describes other bytes. */
  entry: SourceEntry
  taken: TakenFile
  /** null: an image with these bytes exists, and the staged file was deleted. */
  decoded: DecodedImage | null
}

/** A file that a dry run read. */
export interface PreviewedFile {
  /** As in `PreparedFile`. */
  entry: SourceEntry
  contentHash: string
  /** True if an image with these bytes exists. */
  isKnown: boolean
}

/**
 * Imports files of this machine, with several files per commit and the durable order of all uploads: write and flush
 * bytes under a temporary name, decode, rename, flush the directory, commit the rows.
 */
export class ImportIntake {
  readonly #parts: IntakeParts
  readonly #kind: string
  readonly #link: boolean

  constructor(parts: IntakeParts, source: { kind: string; link: boolean }) {
    this.#parts = parts
    this.#kind = source.kind
    this.#link = source.link
  }

  /**
   * Copies and decodes a file. Reads it once more if it changes meanwhile.
   *
   * @throws {Refusal} The refusals of `FileIntake`, as for an upload. No staged file remains.
   * @throws The reason of `signal` if it was aborted before the file was decoded. No staged file remains.
   */
  async prepare(found: SourceEntry, signal: AbortSignal): Promise<PreparedFile> {
    const taken = await this.#take(found.path)
    try {
      if (taken.bytes === 0) throw new Refusal('empty_file')
      const entry = withoutStaleRecord(found, taken)
      if (entry.record === undefined && (await this.#parts.imports.hasBytes(taken.contentHash))) {
        await this.#parts.files.discard(taken)
        return { entry, taken, decoded: null }
      }
      signal.throwIfAborted()
      const metadata = entry.record?.metadata ?? null
      const decoded = await this.#parts.intake.decode(taken.path, { metadata })
      return { entry, taken, decoded }
    } catch (error) {
      await this.#parts.files.discard(taken)
      throw error
    }
  }

  /**
   * Reads and decodes a file in place, for a dry run.
   *
   * @throws Like `prepare`.
   */
  async look(found: SourceEntry, signal: AbortSignal): Promise<PreviewedFile> {
    const { intake, limits, imports } = this.#parts
    const maxBytes = limits.maxUploadBytes
    const { bytes, contentHash } = await retryIfChanged(() => intake.look(found.path, { maxBytes }))
    if (bytes === 0) throw new Refusal('empty_file')
    const entry = withoutStaleRecord(found, { contentHash })
    const isKnown = entry.record === undefined && (await imports.hasBytes(contentHash))
    signal.throwIfAborted()
    if (!isKnown) await intake.decode(found.path, { metadata: entry.record?.metadata ?? null })
    return { entry, contentHash, isKnown }
  }

  /** Deletes the staged file. */
  async drop({ taken }: PreparedFile): Promise<void> {
    await this.#parts.files.discard(taken)
  }

  /**
   * Commits prepared files, in this order.
   *
   * @param boardIds - Board of each file, in the same order; null: no board.
   * @throws {Refusal} `disk_full`, `busy`. Either no file was added, or a repeated import finds those that were.
   */
  async commit(
    prepared: readonly PreparedFile[],
    boardIds: readonly (string | null)[],
  ): Promise<ImportOutcome[]> {
    const names = await this.#reserveNames(prepared)
    try {
      return await this.#commitNamed(prepared, this.#named(prepared, boardIds, names))
    } finally {
      for (const name of names.values()) this.#parts.reservedNames.delete(name)
    }
  }

  /** Reserves the names that images keep from their source: valid names that are not in use or reserved. */
  async #reserveNames(
    prepared: readonly PreparedFile[],
  ): Promise<ReadonlyMap<PreparedFile, string>> {
    const { imports, reservedNames } = this.#parts
    const names = new Map<PreparedFile, string>()
    for (const each of prepared) {
      const name = each.entry.record?.imageName
      if (name === undefined || each.decoded === null || !isImageName(name)) continue
      if (!name.endsWith(`.${extensionOf[each.decoded.mediaType]}`)) continue
      if (reservedNames.has(name)) continue
      reservedNames.add(name)
      names.set(each, name)
    }
    if (names.size === 0) return names
    const release = (each: PreparedFile, name: string) => {
      names.delete(each)
      reservedNames.delete(name)
    }
    try {
      const taken = new Set(await imports.takenNames([...names.values()]))
      for (const [each, name] of names) if (taken.has(name)) release(each, name)
      return names
    } catch (error) {
      for (const [each, name] of names) release(each, name)
      throw error
    }
  }

  async #commitNamed(
    prepared: readonly PreparedFile[],
    named: readonly (NamedFile & { incoming: TakenFile; image: NewImage })[],
  ): Promise<ImportOutcome[]> {
    const { imports } = this.#parts
    return commitFiles(this.#parts, named, async () => {
      const images = new Map(named.map((each) => [each.incoming, each.image]))
      const outcomes = await imports.add(
        prepared.map(({ entry, taken }) => importedFileOf(entry, taken, images.get(taken) ?? null)),
      )
      const refused = new Set(
        prepared.map(({ taken }) => taken).filter((_, at) => outcomes[at] !== 'added'),
      )
      const unused = named.filter(({ incoming }) => refused.has(incoming))
      return { result: outcomes, unused: unused.map(({ imageName }) => imageName) }
    })
  }

  async #take(path: string): Promise<TakenFile> {
    const { intake, limits } = this.#parts
    const options = { maxBytes: limits.maxUploadBytes, link: this.#link }
    return retryIfChanged(() => intake.takeIn(path, options))
  }

  #named(
    prepared: readonly PreparedFile[],
    boardIds: readonly (string | null)[],
    names: ReadonlyMap<PreparedFile, string>,
  ): (NamedFile & { incoming: TakenFile; image: NewImage })[] {
    const { thumbnails, clock } = this.#parts
    const nextName = imageNamesInOneFolder(clock)
    return prepared.flatMap((each, at) => {
      const { entry, taken, decoded } = each
      if (decoded === null) return []
      const imageName = names.get(each) ?? nextName(decoded.mediaType)
      const details = imageDetailsOf(entry, boardIds[at] ?? null, uploadIdOf(this.#kind, entry))
      const image = newImageOf(imageName, details, taken, withRecordMetadata(entry, decoded))
      const writeThumbnail = () =>
        thumbnails.write(imageName, THUMBNAIL_SIZES[0], decoded.thumbnail)
      return [{ imageName, incoming: taken, image, writeThumbnail }]
    })
  }
}

/** Removes the record of an entry if it describes other bytes than were read. */
const withoutStaleRecord = (
  entry: SourceEntry,
  read: Pick<TakenFile, 'contentHash'>,
): SourceEntry => {
  const { record, ...plain } = entry
  const isOther = record?.contentHash !== undefined && record.contentHash !== read.contentHash
  return isOther ? plain : entry
}

/** Repeats a read once if the file changed during it. */
const retryIfChanged = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'file_changed')) throw error
    return read()
  }
}
