import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { ActiveWork } from '#server/core/active-work.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ImageFiles, LocalFile } from '#server/core/intake/file-ports.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import type { IngestService } from '#server/core/intake/ingest-service.ts'
import { once } from '#server/core/intake/new-image-of.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { EngineLibrary, NewPicture } from './engine-ports.ts'

interface LibraryParts {
  images: Pick<ImageRecords, 'get' | 'metadata' | 'remove'>
  files: Pick<ImageFiles, 'local'>
  originals: Pick<OriginalCheck, 'stateOf'>
  ingest: Pick<IngestService, 'ingest'>
  removal: Pick<FileRemoval, 'request'>
  /** Called when the image of a canceled run could not be deleted. */
  onFailure: (error: unknown) => void
}

/** The engine's access to the library. It excludes the trash. */
export class LibraryOfEngine implements EngineLibrary {
  readonly #parts: LibraryParts
  readonly #saving = new ActiveWork()
  readonly #files = new Map<string, LocalFile>()

  constructor(parts: LibraryParts) {
    this.#parts = parts
  }

  async image(imageName: string): Promise<ImageRecord | null> {
    const record = await this.#parts.images.get(imageName)
    if (record === null || record.video !== null || record.deleted_at !== null) return null
    // The node that reads a missing file reports it.
    const state = await this.#parts.originals.stateOf(record)
    if (state === 'damaged') throw new Refusal('original_damaged')
    return record
  }

  async openFile(imageName: string): Promise<string | null> {
    const file = this.#files.get(imageName) ?? (await this.#parts.files.local(imageName))
    if (file !== null) this.#files.set(imageName, file)
    return file?.path ?? null
  }

  async closeFiles(): Promise<void> {
    const files = [...this.#files.values()]
    this.#files.clear()
    for (const file of files) await file[Symbol.asyncDispose]()
  }

  async metadata(imageName: string): Promise<Record<string, unknown> | null> {
    const metadata = await this.#parts.images.metadata(imageName)
    if (metadata === null) return null
    if (metadata.invokeai !== null) return JSON.parse(metadata.invokeai)
    return metadata.normal && invokeaiMetadataOf(metadata.normal)
  }

  async save(picture: NewPicture, signal: AbortSignal): Promise<ImageRecord> {
    signal.throwIfAborted()
    return this.#saving.track(this.#saveUnlessAborted(picture, signal))
  }

  /** Waits for active saves. An aborted run does not wait for them. */
  waitForSaves(): Promise<void> {
    return this.#saving.settled()
  }

  /** Saves a picture and deletes it again if the run was aborted meanwhile. No client has been notified of it. */
  async #saveUnlessAborted(picture: NewPicture, signal: AbortSignal): Promise<ImageRecord> {
    const image = await this.#save(picture)
    if (!signal.aborted) return image
    const { images, removal, onFailure } = this.#parts
    await images.remove([image.image_name]).then(() => removal.request(), onFailure)
    throw signal.reason
  }

  /** Saves a picture, uncategorized if its board does not exist, as InvokeAI does. */
  async #save(picture: NewPicture): Promise<ImageRecord> {
    const { boardId } = picture
    if (boardId === null) return this.#ingest(picture)
    try {
      return await this.#ingest(picture, boardId)
    } catch (error) {
      const isBoardMissing = error instanceof Refusal && error.code === 'board_not_found'
      if (!isBoardMissing) throw error
      return this.#ingest(picture)
    }
  }

  async #ingest(picture: NewPicture, boardId?: string): Promise<ImageRecord> {
    const source = picture.sourceName ? await this.#parts.images.get(picture.sourceName) : null
    const { image } = await this.#parts.ingest.ingest({
      ...(source && { fileName: processedName(source.file_name), takenAt: takenAtOf(source) }),
      source: once(picture.bytes),
      thumbnail: picture.thumbnail ?? null,
      category: picture.category,
      isIntermediate: picture.isIntermediate,
      boardId,
      sessionId: picture.sessionId,
      nodeId: picture.nodeId,
      metadata: picture.metadata,
    })
    return image
  }
}

/**
 * Converts the normal form to InvokeAI's field names, because nodes embed it as `invokeai_metadata`. Omits width and
 * height, because they are those of the source image.
 */
function invokeaiMetadataOf(normal: NormalMetadata): Record<string, unknown> {
  const { prompt, model, loras, width, height, ...same } = normal
  const metadata = {
    ...same,
    positive_prompt: prompt,
    model: model === null ? null : { name: model },
    loras: loras.map(({ name, weight }) => ({ model: { name }, weight })),
  }
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null))
}

/** Converts `castle.jpg` to `castle (processed).png`. A repeated call does not add the suffix again. */
function processedName(fileName: string | null): string | null {
  if (fileName === null) return null
  const dot = fileName.lastIndexOf('.')
  const stem = dot > 0 ? fileName.slice(0, dot) : fileName
  return `${stem.endsWith(SUFFIX) ? stem : stem + SUFFIX}.png`
}

const SUFFIX = ' (processed)'

const takenAtOf = ({ taken_at }: ImageRecord): number | null =>
  taken_at === null ? null : Date.parse(`${taken_at.replace(' ', 'T')}Z`)
