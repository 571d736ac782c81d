import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { DecodedImage, ImageCodec, ItemKind } from '#server/core/images/picture-ports.ts'
import type { BoardRecords } from '#server/core/record-ports.ts'
import { AlreadyHere, Refusal } from '#server/core/refusal.ts'
import { commitFiles, imageNamesInOneFolder, newImageFile, whileStaged } from './commit-files.ts'
import type { ImageFiles, IncomingFile, ThumbnailFiles } from './file-ports.ts'
import { assertResize, duplicateMessage, type ImageDetails, once } from './new-image-of.ts'

/** A file to add, with the data of its sender. */
export interface Upload extends Omit<ImageDetails, 'origin'> {
  /** The bytes, or a function that stages a file which was received before. */
  source: AsyncIterable<Uint8Array> | (() => Promise<IncomingFile>)
  /** Required kind of the file; `any`: its bytes decide. Default: an image. */
  kind?: ItemKind | 'any'
  /** Effect if an image with the same bytes exists. `keep`, the default, adds a second image. */
  knownBytes?: 'keep' | 'refuse'
  /** Crops to the visible pixels; re-encodes as PNG. */
  cropVisible?: boolean
  /** In pixels; re-encodes as PNG. */
  resizeTo?: { width: number; height: number } | null
  /** Called after `source` was read, because the fields of a form may follow the file. */
  rest?: () => Promise<Pick<Upload, 'metadata' | 'resizeTo' | 'takenAt'>>
}

export interface Ingested {
  image: ImageRecord
  /** True if the `uploadId` was known: `image` is the existing one, and the bytes were dropped. */
  isRepeat: boolean
}

export interface IngestParts {
  images: Pick<ImageRecords, 'add' | 'isThere' | 'getByUploadId' | 'getByContentHash'>
  boards: Pick<BoardRecords, 'get'>
  files: ImageFiles
  codec: ImageCodec
  thumbnails: ThumbnailFiles
  limits: { maxUploadBytes: number; maxVideoBytes?: number }
  clock: Clock
  /** Called for each uploaded image after its commit, with the size of its file. */
  onUploaded?: (bytes: number) => void
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
    const { files, codec, images } = this.#parts
    const { uploadId = null } = upload
    const known = uploadId === null ? null : await images.getByUploadId(uploadId)
    if (known !== null) return this.#repeat(upload, known)
    codec.prepare()
    const incoming = await this.#receive(upload)
    const ready = await whileStaged(files, incoming, async () => {
      if (upload.knownBytes === 'refuse') await this.#assertNew(incoming, upload.fileName ?? null)
      const whole = await withRest(upload)
      return { upload: whole, ...(await this.#decode(whole, incoming)) }
    })
    return this.#commit(ready)
  }

  /** Handles a known `uploadId`. Different bytes are refused, because they would be lost silently. */
  async #repeat(upload: Upload, known: ImageRecord): Promise<Ingested> {
    const { files } = this.#parts
    const incoming = await this.#receive(upload)
    const whole = await whileStaged(files, incoming, () => withRest(upload))
    await files.discard(incoming)
    // The stored bytes of a transformed upload differ from the sent ones.
    if (!isTransformed(whole) && known.content_hash !== incoming.contentHash) {
      throw new Refusal('upload_id_taken')
    }
    return { image: known, isRepeat: true }
  }

  #receive(upload: Upload): Promise<IncomingFile> {
    const { source } = upload
    if (typeof source === 'function') return source()
    return this.#parts.files.receive(source, { maxBytes: this.#maxBytesOf(upload) })
  }

  #maxBytesOf({ nodeId, kind }: Upload): number {
    const { maxUploadBytes, maxVideoBytes = maxUploadBytes } = this.#parts.limits
    if (nodeId !== undefined) return Number.POSITIVE_INFINITY
    if (kind === 'any') return Math.max(maxUploadBytes, maxVideoBytes)
    return kind === 'video' ? maxVideoBytes : maxUploadBytes
  }

  async #assertNew(incoming: IncomingFile, fileName: string | null): Promise<void> {
    const { images, boards } = this.#parts
    const same = await images.getByContentHash(incoming.contentHash)
    if (same === null) return
    const board = same.board_id === null ? null : await boards.get(same.board_id)
    throw new AlreadyHere(same, duplicateMessage(same, board?.board_name ?? null, fileName))
  }

  /** Decodes the received file. A requested crop or resize replaces the file first. */
  async #decode(upload: Upload, received: IncomingFile): Promise<DecodedFile> {
    const { files, codec, limits } = this.#parts
    if (received.bytes === 0) throw new Refusal('empty_file')
    const { kind = 'image', cropVisible = false, resizeTo = null } = upload
    const { metadata = null, thumbnail = null } = upload
    if (!isTransformed(upload)) {
      const decoded = await codec.decode(received.path, { kind, metadata, thumbnail })
      const found = decoded.video === undefined ? 'image' : 'video'
      if (received.bytes > this.#maxBytesOf({ ...upload, kind: found }))
        throw new Refusal('file_too_large')
      return { incoming: received, decoded }
    }
    const png = await codec.transform(received.path, { cropVisible, resizeTo })
    const transformed = await files.receive(once(png), { maxBytes: limits.maxUploadBytes })
    return whileStaged(files, transformed, async (incoming) => {
      const decoded = await codec.decode(incoming.path, { metadata, thumbnail: null })
      await files.discard(received)
      return { incoming, decoded }
    })
  }

  async #commit({
    upload,
    incoming,
    decoded,
  }: DecodedFile & { upload: Upload }): Promise<Ingested> {
    const { thumbnails, images, clock } = this.#parts
    const imageName = imageNamesInOneFolder(clock)(decoded.mediaType)
    const file = newImageFile(thumbnails, imageName, upload, incoming, decoded)
    const ingested = await commitFiles(this.#parts, [file], async () => {
      const added = await images.add(file.image)
      if (added === 'board_not_found') throw new Refusal('board_not_found')
      if (!isTransformed(upload) && added.image.content_hash !== incoming.contentHash) {
        throw new Refusal('upload_id_taken')
      }
      // A repeat means that the same upload ran twice concurrently and the other request committed first.
      return { result: added, unused: added.isRepeat ? [imageName] : [] }
    })
    const isNew = !ingested.isRepeat && upload.nodeId === undefined
    if (isNew) this.#parts.onUploaded?.(incoming.bytes)
    return ingested
  }
}

interface DecodedFile {
  incoming: IncomingFile
  decoded: DecodedImage
}

const isTransformed = ({ cropVisible = false, resizeTo = null }: Upload): boolean =>
  cropVisible || resizeTo !== null

/** Adds the form fields that followed the file. */
const withRest = async ({ rest, ...upload }: Upload): Promise<Upload> => {
  if (rest === undefined) return upload
  const whole = { ...upload, ...(await rest()) }
  assertResize(whole.resizeTo ?? null)
  return whole
}
