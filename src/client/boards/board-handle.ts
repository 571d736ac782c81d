import {
  DeletionFailedError,
  GalleryError,
  ImageNotFoundError,
  ImageNotOnBoardError,
  orIfRefused,
  RefusedError,
} from '#client/errors.ts'
import {
  type ListImagesOptions,
  type ListingParts,
  listImageNames,
} from '#client/images/list-images.ts'
import type { UploadOperations } from '#client/images/upload-operations.ts'
import type { UploadFile } from '#client/images/upload-options.ts'
import type { VideoOperations } from '#client/images/video-operations.ts'
import type { CallOptions } from '#client/transport/call.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import {
  addImageToBoard,
  deleteImage,
  getFullImage,
  getImage,
  getThumbnail,
  removeImageFromBoard,
} from '#contract/image-operations.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'

/** Opens a file by its path: in Node, `openFile` of `tessera-gallery-client/node`. Browsers cannot. */
export type OpenFile = (filePath: string) => Promise<{ bytes: Blob; fileName: string }>

export interface HandleParts extends ListingParts {
  readonly uploads: UploadOperations
  readonly videos: VideoOperations
  readonly openFile?: OpenFile | undefined
}

/** Options of `uploadImage` and `uploadImageData`. */
export interface HandleUploadOptions extends CallOptions {
  /** The default is false. */
  readonly isIntermediate?: boolean | undefined
  /** The default is `user`. */
  readonly imageCategory?: ImageCategory | undefined
  /** The default is null. */
  readonly sessionId?: string | null | undefined
}

/**
 * Operations on one board, which can be the uncategorized one. Created by a `BoardRepository`.
 *
 * @example
 * const portraits = await boards.createBoard('Portraits')
 * const image = await portraits.uploadImage('cat.png')
 * await portraits.starImage(image.image_name)
 */
export class BoardHandle {
  /** `none` for the uncategorized board. */
  readonly boardId: string
  #boardName: string
  readonly #parts: HandleParts
  #imageNames: Set<string> | null = null

  /** @internal */
  constructor(parts: HandleParts, board: { board_id: string; board_name: string }) {
    this.#parts = parts
    this.boardId = board.board_id
    this.#boardName = this.isUncategorized ? UNCATEGORIZED_BOARD_NAME : board.board_name
  }

  /** Name of the board at the creation or last refresh of the handle. */
  get boardName(): string {
    return this.#boardName
  }

  /** True if this is the uncategorized board. */
  get isUncategorized(): boolean {
    return this.boardId === UNCATEGORIZED_BOARD_ID
  }

  /**
   * Reads the board's name again and clears the cached image names (`refresh`).
   *
   * @throws {RefusedError} `board_not_found`: the board was deleted.
   */
  async refresh(options: CallOptions = {}): Promise<void> {
    this.#imageNames = null
    if (this.isUncategorized) return
    this.#boardName = (await this.#parts.boards.get(this.boardId, options)).board_name
  }

  /**
   * Lists the names of the images on this board (`list_images`), including intermediates.
   *
   * @throws {RangeError} `orderBy` or `orderDir` is invalid. Nothing was sent.
   */
  listImages(options: ListImagesOptions = {}): Promise<string[]> {
    return listImageNames(this.#parts, this.boardId, options)
  }

  /**
   * Uploads a file to this board (`upload_image`).
   *
   * @param filePath - Passed to the client's `openFile`; in Node a path.
   * @throws {GalleryError} The client has no `openFile`, as in a browser.
   * @throws {RefusedError} Nothing was saved.
   */
  async uploadImage(filePath: string, options: HandleUploadOptions = {}): Promise<ImageRecord> {
    const { openFile } = this.#parts
    if (openFile === undefined) {
      throw new GalleryError(
        'Files by path need the option openFile: import it from tessera-gallery-client/node',
      )
    }
    return this.#upload(await openFile(filePath), options)
  }

  /**
   * Uploads bytes to this board (`upload_image_data`).
   *
   * @param options.filename - Indicates the format if the bytes are not a `File`. The default is null.
   * @throws {RefusedError} Nothing was saved.
   */
  async uploadImageData(
    imageData: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>,
    options: HandleUploadOptions & { readonly filename?: string | null | undefined } = {},
  ): Promise<ImageRecord> {
    const { filename, ...others } = options
    const bytes = imageData instanceof Blob ? imageData : new Blob([imageData])
    return this.#upload({ bytes, fileName: filename ?? undefined }, others)
  }

  /**
   * Downloads an image of this board (`download_image`).
   *
   * @param options.fullResolution - False downloads the thumbnail. The default is true.
   * @throws {ImageNotOnBoardError} The image is not on this board. Nothing was downloaded.
   */
  async downloadImage(
    imageName: string,
    options: CallOptions & { readonly fullResolution?: boolean | undefined } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { fullResolution = true, ...call } = options
    if (!(await this.#isOnBoard(imageName, call))) {
      throw new ImageNotOnBoardError(imageName, this.boardId)
    }
    const params = { image_name: imageName }
    return fullResolution
      ? this.#parts.http.bytes(getFullImage, { params, ...call })
      : this.#parts.http.bytes(getThumbnail, { params, ...call })
  }

  /**
   * Moves an image or a video to another board (`move_image_to`); `none` makes it uncategorized.
   *
   * @returns false if the image or the board does not exist.
   */
  async moveImageTo(
    imageName: string,
    targetBoardId: string,
    options: CallOptions = {},
  ): Promise<boolean> {
    if (isVideoName(imageName)) return this.#moveVideo(imageName, targetBoardId, options)
    if (targetBoardId === UNCATEGORIZED_BOARD_ID) return this.#uncategorize(imageName, options)
    const body = { board_id: targetBoardId, image_name: imageName }
    const call = this.#parts.http.call(addImageToBoard, { body, ...options })
    const moved = await orIfRefused(call, null, 'image_not_found', 'board_not_found', 'not_found')
    if (moved === null) return false
    if (targetBoardId !== this.boardId) this.#imageNames?.delete(imageName)
    return moved.added_images.includes(imageName)
  }

  async #moveVideo(videoName: string, boardId: string, options: CallOptions): Promise<boolean> {
    const moving = this.#parts.videos.move(videoName, boardId, options)
    const gone = ['video_not_found', 'video_not_added', 'board_not_found', 'not_found'] as const
    if ((await orIfRefused(moving, null, ...gone)) === null) return false
    if (boardId !== this.boardId) this.#imageNames?.delete(videoName)
    return true
  }

  /**
   * Makes an image uncategorized (`remove_image`).
   *
   * @returns false if the image does not exist. On the uncategorized board always false, and no request is
   *   sent.
   */
  async removeImage(imageName: string, options: CallOptions = {}): Promise<boolean> {
    return this.isUncategorized ? false : this.#uncategorize(imageName, options)
  }

  /** Deletes an image permanently (`delete_image`). Returns true if the server lists it as deleted. */
  async deleteImage(imageName: string, options: CallOptions = {}): Promise<boolean> {
    const params = { image_name: imageName }
    const call = this.#parts.http.call(deleteImage, { params, ...options })
    const deleted = await orIfRefused(call, null, 'not_found', 'image_not_found')
    if (deleted === null) return false
    this.#imageNames?.delete(imageName)
    return deleted.deleted_images.includes(imageName)
  }

  /**
   * Deletes an image permanently, and throws an error with the reason if that fails.
   *
   * @returns false if the image disappeared without a confirmed deletion.
   * @throws {ImageNotFoundError} The image did not exist.
   * @throws {DeletionFailedError} The image still exists.
   * @throws {ConnectionError} A check got no response.
   */
  async deleteImageStrict(imageName: string, options: CallOptions = {}): Promise<boolean> {
    const refusal = await this.#refusalOf(imageName, options)
    if (refusal !== null) throw new ImageNotFoundError(imageName, { cause: refusal })
    if (await this.deleteImage(imageName, options)) return true
    const isStillThere = (await this.#refusalOf(imageName, options)) === null
    if (isStillThere) throw new DeletionFailedError(imageName)
    return false
  }

  /** Stars an image (`star_image`). Returns false if the image does not exist. */
  starImage(imageName: string, options: CallOptions = {}): Promise<boolean> {
    return this.#setStarred(imageName, true, options)
  }

  /** Removes the star of an image (`unstar_image`). Returns false if the image does not exist. */
  unstarImage(imageName: string, options: CallOptions = {}): Promise<boolean> {
    return this.#setStarred(imageName, false, options)
  }

  /** Counts the images on this board (`get_image_count`), not including intermediates. */
  getImageCount(options: CallOptions = {}): Promise<number> {
    return this.#parts.images.count({ boardId: this.boardId, isIntermediate: false }, options)
  }

  /** Returns null if the image exists, else the server's refusal. */
  async #refusalOf(imageName: string, options: CallOptions): Promise<RefusedError | null> {
    try {
      await this.#parts.http.call(getImage, { params: { image_name: imageName }, ...options })
      return null
    } catch (error) {
      if (error instanceof RefusedError) return error
      throw error
    }
  }

  async #setStarred(imageName: string, starred: boolean, options: CallOptions): Promise<boolean> {
    const update = this.#parts.images.update(imageName, { starred }, options)
    const refusals = ['image_update_failed', 'image_not_found', 'not_found'] as const
    return (await orIfRefused(update, null, ...refusals))?.starred === starred
  }

  async #uncategorize(imageName: string, options: CallOptions): Promise<boolean> {
    const body = { image_name: imageName }
    const call = this.#parts.http.call(removeImageFromBoard, { body, ...options })
    const removed = await orIfRefused(call, null, 'image_not_found', 'not_found')
    if (removed === null) return false
    if (!this.isUncategorized) this.#imageNames?.delete(imageName)
    return removed.removed_images.includes(imageName)
  }

  /** Checks the complete list of names, not its first page. Reads the list again after a miss. */
  async #isOnBoard(imageName: string, options: CallOptions): Promise<boolean> {
    if (this.#imageNames?.has(imageName)) return true
    this.#imageNames = new Set(await this.#parts.boards.imageNames(this.boardId, options))
    return this.#imageNames.has(imageName)
  }

  async #upload(file: UploadFile, options: HandleUploadOptions): Promise<ImageRecord> {
    const image = await this.#parts.uploads.upload(file, { ...options, boardId: this.boardId })
    this.#imageNames?.add(image.image_name)
    return image
  }
}
