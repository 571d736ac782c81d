import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { DecodedImage, ImageCodec, Thumbnail } from '#server/core/images/picture-ports.ts'
import type { BoardRecords } from '#server/core/record-ports.ts'
import { AlreadyHere, Refusal } from '#server/core/refusal.ts'
import { commitFiles, imageNamesInOneFolder } from './commit-files.ts'
import type { ImageFiles, IncomingFile, ThumbnailFiles } from './file-ports.ts'
import { assertResize, duplicateMessage, newImageOf, once } from './new-image-of.ts'

/** A file to add, with the data of its sender. */
export interface Upload {
  source: AsyncIterable<Uint8Array>
  category: ImageCategory
  /** Default false. */
  isIntermediate?: boolean
  /** Name given by the sender. It is cleaned before it is stored. */
  fileName?: string | null
  /** Absent: uncategorized. `none` and the empty string are unknown boards, as in InvokeAI. */
  boardId?: string | undefined
  sessionId?: string | null
  /** ID of the prepared node that made it; then no upload limit applies. Absent: it was uploaded. */
  nodeId?: string
  /** Created by the client. A repeated upload returns the existing record. */
  uploadId?: string | null
  /** Effect if an image with the same bytes exists. `keep`, the default, adds a second image. */
  knownBytes?: 'keep' | 'refuse'
  /** Date of the file, used if its EXIF has none. Milliseconds since 1970. */
  takenAt?: number | null
  /** The `metadata` part as JSON text. Text that is not an object is dropped. */
  metadata?: string | null
  /** Made from the pixels by this server, which encoded the file. Absent or null: it is made from the file. */
  thumbnail?: Thumbnail | null
  /** Crops to the visible pixels; re-encodes as PNG. */
  cropVisible?: boolean
  /** In pixels; re-encodes as PNG. */
  resizeTo?: { width: number; height: number } | null
  /** Creation time in milliseconds since 1970; absent: now. */
  createdAt?: number
  starred?: boolean
  /** Called after `source` was read, because the fields of a form may follow the file. */
  rest?: () => Promise<Pick<Upload, 'metadata' | 'resizeTo' | 'takenAt'>>
}

/** Result of an upload. */
export interface Ingested {
  image: ImageRecord
  /** True if the `uploadId` was known: `image` is the existing one, and the bytes were dropped. */
  isRepeat: boolean
}

export interface IngestParts {
  images: Pick<ImageRecords, 'add' | 'get' | 'getByUploadId' | 'getByContentHash'>
  boards: Pick<BoardRecords, 'get'>
  files: ImageFiles
  codec: ImageCodec
  thumbnails: ThumbnailFiles
  limits: { maxUploadBytes: number }
  clock: Clock
}

/**
 * Adds images durably: an acknowledged upload survives a power failure. The order is: write and flush bytes under a
 * temporary name, decode, rename, flush the directory, commit the row. A failed upload leaves nothing.
 */
export class IngestService {
  readonly #parts: IngestParts

  constructor(parts: IngestParts) {
    this.#parts = parts
  }

  /**
   * Checks a board before many files are uploaded to it.
   *
   * @throws {Refusal} `board_not_found`, also for `none` and the empty string.
   */
  async assertBoard(boardId: string | undefined): Promise<void> {
    if (boardId === undefined) return
    const isNamed = boardId !== '' && boardId !== UNCATEGORIZED_BOARD_ID
    if (!isNamed || (await this.#parts.boards.get(boardId)) === null) {
      throw new Refusal('board_not_found')
    }
  }

  /**
   * Adds one image. Unless it is refused at once, `source` is read to its end or to the first error.
   *
   * @throws {Refusal} `board_not_found` and `invalid_resize` before a byte is read; `already_here`;
   *   `upload_id_taken`; `file_too_large`, `upload_cut_off`, `empty_file`, `disk_full`; the refusals of
   *   `ImageCodec.decode`; `crop_failed`, `resize_failed`. Nothing is stored.
   */
  async ingest(upload: Upload): Promise<Ingested> {
    await this.assertBoard(upload.boardId)
    assertResize(upload.resizeTo ?? null)
    const known = await this.#known(upload.uploadId ?? null)
    if (known !== null) return this.#repeat(upload, known)
    const { files, codec } = this.#parts
    codec.prepare()
    const incoming = await files.receive(upload.source, { maxBytes: this.#maxBytesOf(upload) })
    if (upload.knownBytes === 'refuse') await this.#assertNew(incoming, upload.fileName ?? null)
    const whole = await this.#withRest(upload, incoming)
    const received = await this.#decode(whole, incoming)
    return this.#keep(whole, received.incoming, received.decoded)
  }

  /** Handles a known `uploadId`. Different bytes are refused, because they would be lost silently. */
  async #repeat(upload: Upload, known: ImageRecord): Promise<Ingested> {
    const { files } = this.#parts
    const incoming = await files.receive(upload.source, { maxBytes: this.#maxBytesOf(upload) })
    const { cropVisible = false, resizeTo = null } = await this.#withRest(upload, incoming)
    await files.discard(incoming)
    // The stored bytes of a transformed upload differ from the sent ones.
    const isComparable = !cropVisible && resizeTo === null
    if (isComparable && known.content_hash !== incoming.contentHash) {
      throw new Refusal('upload_id_taken')
    }
    return { image: known, isRepeat: true }
  }

  #maxBytesOf({ nodeId }: Upload): number {
    return nodeId === undefined ? this.#parts.limits.maxUploadBytes : Number.POSITIVE_INFINITY
  }

  async #withRest(upload: Upload, incoming: IncomingFile): Promise<Upload> {
    const { rest, ...whole } = upload
    if (rest === undefined) return whole
    try {
      Object.assign(whole, await rest())
      assertResize(whole.resizeTo ?? null)
      return whole
    } catch (error) {
      await this.#parts.files.discard(incoming)
      throw error
    }
  }

  async #known(uploadId: string | null): Promise<ImageRecord | null> {
    return uploadId === null ? null : this.#parts.images.getByUploadId(uploadId)
  }

  async #assertNew(incoming: IncomingFile, fileName: string | null): Promise<void> {
    const { files, images, boards } = this.#parts
    try {
      const same = await images.getByContentHash(incoming.contentHash)
      if (same === null) return
      const board = same.board_id === null ? null : await boards.get(same.board_id)
      throw new AlreadyHere(same, duplicateMessage(same, board?.board_name ?? null, fileName))
    } catch (error) {
      await files.discard(incoming)
      throw error
    }
  }

  /** Decodes the received file, after a crop or resize if requested. */
  async #decode(
    upload: Upload,
    incoming: IncomingFile,
  ): Promise<{ incoming: IncomingFile; decoded: DecodedImage }> {
    const { files, codec } = this.#parts
    try {
      if (incoming.bytes === 0) throw new Refusal('empty_file')
      if (upload.cropVisible !== true && (upload.resizeTo ?? null) === null) {
        const { metadata = null, thumbnail = null } = upload
        const decoded = await codec.decode(incoming.path, { metadata, thumbnail })
        return { incoming, decoded }
      }
    } catch (error) {
      await files.discard(incoming)
      throw error
    }
    return this.#transform(upload, incoming)
  }

  /** Replaces the received file by the cropped or resized image and decodes that. */
  async #transform(
    upload: Upload,
    original: IncomingFile,
  ): Promise<{ incoming: IncomingFile; decoded: DecodedImage }> {
    const { files, codec, limits } = this.#parts
    try {
      const png = await codec.transform(original.path, {
        cropVisible: upload.cropVisible ?? false,
        resizeTo: upload.resizeTo ?? null,
      })
      const incoming = await files.receive(once(png), { maxBytes: limits.maxUploadBytes })
      const transformed = { ...upload, cropVisible: false, resizeTo: null, thumbnail: null }
      return await this.#decode(transformed, incoming)
    } finally {
      await files.discard(original)
    }
  }

  async #keep(upload: Upload, incoming: IncomingFile, decoded: DecodedImage): Promise<Ingested> {
    const { thumbnails, images, clock } = this.#parts
    const imageName = imageNamesInOneFolder(clock)(decoded.mediaType)
    const writeThumbnail = () => thumbnails.write(imageName, THUMBNAIL_SIZES[0], decoded.thumbnail)
    return commitFiles(this.#parts, [{ imageName, incoming, writeThumbnail }], async () => {
      const added = await images.add(newImageOf(imageName, upload, incoming, decoded))
      if (added === 'board_not_found') throw new Refusal('board_not_found')
      const isTransformed = upload.cropVisible === true || (upload.resizeTo ?? null) !== null
      if (!isTransformed && added.image.content_hash !== incoming.contentHash) {
        throw new Refusal('upload_id_taken')
      }
      // A repeat means that the same upload ran twice concurrently and the other request committed first.
      return { result: added, unused: added.isRepeat ? [imageName] : [] }
    })
  }
}
