import { storedExtensionOf } from '#contract/media-types.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { DecodedImage } from '#server/core/images/picture-ports.ts'
import {
  commitFiles,
  imageNamesInOneFolder,
  type NewImageFile,
  newImageFile,
  whileStaged,
} from '#server/core/intake/commit-files.ts'
import type { FileIntake, SizeLimits, TakenFile } from '#server/core/intake/file-intake.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { isImageName } from '#server/core/name-table.ts'
import { Refusal } from '#server/core/refusal.ts'
import { imageDetailsOf, importedFileOf, uploadIdOf, withRecordMetadata } from './import-details.ts'
import type { SourceEntry } from './import-ports.ts'
import type { ImportOutcome, ImportRecords } from './import-records.ts'

export interface IntakeParts {
  imports: ImportRecords
  images: Pick<ImageRecords, 'get' | 'isThere'>
  files: ImageFiles
  intake: FileIntake
  thumbnails: ThumbnailFiles
  limits: { maxUploadBytes: number; maxVideoBytes?: number }
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

export interface CommittedFile {
  outcome: ImportOutcome
  /** The name of its new image; null if an image with these bytes existed. */
  imageName: string | null
}

/** A file that a dry run read. */
export interface PreviewedFile {
  /** As in `PreparedFile`. */
  entry: SourceEntry
  contentHash: string
  /** True if an image or a video with these bytes exists. */
  isKnown: boolean
  /** Meaningless if it is known. */
  isVideo: boolean
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
    const { files, imports, intake } = this.#parts
    const options = { ...this.#sizeLimits, link: this.#link }
    const staged = await retryIfChanged(() => intake.takeIn(found.path, options))
    return whileStaged(files, staged, async (taken) => {
      if (taken.bytes === 0) throw new Refusal('empty_file')
      const entry = withoutStaleRecord(found, taken)
      if (entry.record === undefined && (await imports.hasBytes(taken.contentHash))) {
        await files.discard(taken)
        return { entry, taken, decoded: null }
      }
      signal.throwIfAborted()
      const given = {
        metadata: entry.record?.metadata ?? null,
        // Other sources have records.
        beside: this.#kind === 'folder' ? found.path : null,
        kind: 'any' as const,
        posterMs: entry.record?.posterMs ?? null,
      }
      return { entry, taken, decoded: await intake.decode(taken.path, given) }
    })
  }

  /** Reads and decodes a file in place, for a dry run. Throws like `prepare`. */
  async look(found: SourceEntry, signal: AbortSignal): Promise<PreviewedFile> {
    const { intake, imports } = this.#parts
    const { bytes, contentHash } = await retryIfChanged(() =>
      intake.look(found.path, this.#sizeLimits),
    )
    if (bytes === 0) throw new Refusal('empty_file')
    const entry = withoutStaleRecord(found, { contentHash })
    const isKnown = entry.record === undefined && (await imports.hasBytes(contentHash))
    signal.throwIfAborted()
    const given = { metadata: entry.record?.metadata ?? null, kind: 'any' as const }
    const decoded = isKnown ? null : await intake.decode(found.path, given)
    return { entry, contentHash, isKnown, isVideo: decoded?.video !== undefined }
  }

  get #sizeLimits(): SizeLimits {
    const { maxUploadBytes, maxVideoBytes = maxUploadBytes } = this.#parts.limits
    return { maxBytes: maxUploadBytes, maxVideoBytes }
  }

  /** Deletes the staged file. */
  async drop({ taken }: PreparedFile): Promise<void> {
    await this.#parts.files.discard(taken)
  }

  /**
   * Commits prepared files, in this order.
   *
   * @param boardIds - Board of each file, in the same order; null: no board.
   * @returns The outcome of each file, with the name of its image if it has a new one.
   * @throws {Refusal} `disk_full`, `busy`. Either no file was added, or a repeated import finds those that were.
   */
  async commit(
    prepared: readonly PreparedFile[],
    boardIds: readonly (string | null)[],
  ): Promise<CommittedFile[]> {
    const { imports, reservedNames } = this.#parts
    const names = this.#reserveNames(prepared)
    const reserved = [...names.values()]
    try {
      const taken = new Set(reserved.length === 0 ? [] : await imports.takenNames(reserved))
      for (const [each, name] of names) if (taken.has(name)) names.delete(each)
      const named = this.#named(prepared, boardIds, names)
      return await commitFiles(this.#parts, [...named.values()], async () => {
        const outcomes = await imports.add(
          prepared.map((each) => importedFileOf(each.entry, each.taken, named.get(each)?.image)),
        )
        const unused = prepared.filter((_, at) => outcomes[at] !== 'added')
        return {
          result: outcomes.map((outcome, at) => ({
            outcome,
            imageName: (prepared[at] && named.get(prepared[at])?.imageName) ?? null,
          })),
          unused: unused.flatMap((each) => named.get(each)?.imageName ?? []),
        }
      })
    } finally {
      for (const name of reserved) reservedNames.delete(name)
    }
  }

  /** Reserves the valid names that images keep from their source, unless another commit is about to use them. */
  #reserveNames(prepared: readonly PreparedFile[]): Map<PreparedFile, string> {
    const { reservedNames } = this.#parts
    const names = new Map<PreparedFile, string>()
    for (const each of prepared) {
      const name = each.entry.record?.imageName
      if (name === undefined || each.decoded === null || !isImageName(name)) continue
      if (!name.endsWith(`.${storedExtensionOf(each.decoded.mediaType)}`)) continue
      if (reservedNames.has(name)) continue
      reservedNames.add(name)
      names.set(each, name)
    }
    return names
  }

  #named(
    prepared: readonly PreparedFile[],
    boardIds: readonly (string | null)[],
    names: ReadonlyMap<PreparedFile, string>,
  ): ReadonlyMap<PreparedFile, NewImageFile> {
    const { thumbnails, clock } = this.#parts
    const nextName = imageNamesInOneFolder(clock)
    const named = new Map<PreparedFile, NewImageFile>()
    for (const [at, each] of prepared.entries()) {
      if (each.decoded === null) continue
      const imageName = names.get(each) ?? nextName(each.decoded.mediaType)
      const uploadId = uploadIdOf(this.#kind, each.entry)
      const details = imageDetailsOf(each.entry, boardIds[at] ?? null, uploadId)
      const decoded = withRecordMetadata(each.entry, each.decoded)
      named.set(each, newImageFile(thumbnails, imageName, details, each.taken, decoded))
    }
    return named
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
