import { GalleryError, ImageNotOnBoardError, isRefused } from '#client/errors.ts'
import { deleteImageStrict } from '#client/images/delete-image-strict.ts'
import {
  type ListImagesOptions,
  type ListingParts,
  listImageNames,
} from '#client/images/list-images.ts'
import type { UploadOperations } from '#client/images/upload-operations.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import {
  addImageToBoard,
  deleteImage,
  getFullImage,
  getThumbnail,
  removeImageFromBoard,
} from '#contract/image-operations.ts'

/** Opens a file by its path. Node's is `openFile` of `tessera/node`; a browser has none. */
export type OpenFile = (filePath: string) => Promise<{ bytes: Blob; fileName: string }>

/** The parts of the client that a handle needs. */
export interface HandleParts extends ListingParts {
  readonly uploads: UploadOperations
  readonly openFile?: OpenFile | undefined
}

/** What the two uploads of a handle take, each with its default (spec 4.3). */
export interface HandleUploadOptions {
  /** The default is false. */
  readonly isIntermediate?: boolean | undefined
  /** The default is `user`. */
  readonly imageCategory?: ImageCategory | undefined
  /** The default is null. */
  readonly sessionId?: string | null | undefined
}

/**
 * One board, the uncategorized one included, and what can be done inside it (spec 2.2, 4.3). A
 * `BoardRepository` gives handles.
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

  /** Handles come from a `BoardRepository`. */
  constructor(parts: HandleParts, board: { board_id: string; board_name: string }) {
    this.#parts = parts
    this.boardId = board.board_id
    this.#boardName = this.isUncategorized ? UNCATEGORIZED_BOARD_NAME : board.board_name
  }

  /** As it was when the handle was made or last refreshed. */
  get boardName(): string {
    return this.#boardName
  }

  /** Whether this is the uncategorized board. */
  get isUncategorized(): boolean {
    return this.boardId === UNCATEGORIZED_BOARD_ID
  }

  /**
   * Reads the board's name anew and forgets which images were on it (`refresh`).
   *
   * @throws {RefusedError} `board_not_found`: the board is gone.
   */
  async refresh(): Promise<void> {
    this.#imageNames = null
    if (this.isUncategorized) return
    this.#boardName = (await this.#parts.boards.get(this.boardId)).board_name
  }

  /**
   * Names of the images on this board (`list_images`), intermediates included.
   *
   * @throws {RangeError} `orderBy` or `orderDir` is none that exists. Nothing was sent.
   */
  listImages(options: ListImagesOptions = {}): Promise<string[]> {
    return listImageNames(this.#parts, this.boardId, options)
  }

  /**
   * Uploads a file to this board (`upload_image`).
   *
   * @param filePath - What the client's `openFile` understands; in Node a path.
   * @throws {GalleryError} The client has no `openFile`, as in a browser.
   * @throws {RefusedError} Nothing was kept.
   */
  async uploadImage(filePath: string, options: HandleUploadOptions = {}): Promise<ImageRecord> {
    const { openFile, uploads } = this.#parts
    if (openFile === undefined) {
      throw new GalleryError('Files by path need the option openFile: import it from tessera/node')
    }
    return this.#remember(
      await uploads.upload(await openFile(filePath), this.#destination(options)),
    )
  }

  /**
   * Uploads bytes to this board (`upload_image_data`).
   *
   * @param options.filename - Tells the format where the bytes are no `File`. The default is null.
   * @throws {RefusedError} Nothing was kept.
   */
  async uploadImageData(
    imageData: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>,
    options: HandleUploadOptions & { readonly filename?: string | null | undefined } = {},
  ): Promise<ImageRecord> {
    const { filename, ...others } = options
    const bytes = imageData instanceof Blob ? imageData : new Blob([imageData])
    const file = { bytes, fileName: filename ?? undefined }
    return this.#remember(await this.#parts.uploads.upload(file, this.#destination(others)))
  }

  /**
   * The bytes of an image on this board (`download_image`).
   *
   * @param options.fullResolution - False gives the thumbnail. The default is true.
   * @throws {ImageNotOnBoardError} The image is not on this board. Nothing was fetched.
   */
  async downloadImage(
    imageName: string,
    options: { readonly fullResolution?: boolean | undefined } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    if (!(await this.#isOnBoard(imageName))) throw new ImageNotOnBoardError(imageName, this.boardId)
    const params = { image_name: imageName }
    const { fullResolution = true } = options
    return fullResolution
      ? this.#parts.http.bytes(getFullImage, { params })
      : this.#parts.http.bytes(getThumbnail, { params })
  }

  /**
   * Moves an image to another board (`move_image_to`); `none` makes it uncategorized.
   *
   * @returns false when there is no such image or no such board.
   */
  async moveImageTo(imageName: string, targetBoardId: string): Promise<boolean> {
    if (targetBoardId === UNCATEGORIZED_BOARD_ID) return this.#uncategorize(imageName)
    try {
      const { added_images } = await this.#parts.http.call(addImageToBoard, {
        body: { board_id: targetBoardId, image_name: imageName },
      })
      if (targetBoardId !== this.boardId) this.#imageNames?.delete(imageName)
      return added_images.includes(imageName)
    } catch (error) {
      if (isRefused(error, 'image_not_found', 'board_not_found', 'not_found')) return false
      throw error
    }
  }

  /**
   * Makes an image uncategorized (`remove_image`).
   *
   * @returns false when there is no such image; on the uncategorized board always, without a call.
   */
  async removeImage(imageName: string): Promise<boolean> {
    return this.isUncategorized ? false : this.#uncategorize(imageName)
  }

  /**
   * Deletes an image for good (`delete_image`).
   *
   * @returns true only when the server lists the name among what it deleted.
   */
  async deleteImage(imageName: string): Promise<boolean> {
    try {
      const params = { image_name: imageName }
      const { deleted_images } = await this.#parts.http.call(deleteImage, { params })
      this.#imageNames?.delete(imageName)
      return deleted_images.includes(imageName)
    } catch (error) {
      if (isRefused(error, 'not_found', 'image_not_found')) return false
      throw error
    }
  }

  /**
   * Deletes an image for good, and says why where it cannot (spec 7, strict delete).
   *
   * @returns false when the image was gone by itself in the meantime.
   * @throws {ImageNotFoundError} It was not there to begin with.
   * @throws {DeletionFailedError} It is still there.
   * @throws {ConnectionError} A check got no answer.
   */
  deleteImageStrict(imageName: string): Promise<boolean> {
    return deleteImageStrict(this.#parts.http, imageName, (name) => this.deleteImage(name))
  }

  /** Sets the star (`star_image`). Returns false when there is no such image. */
  starImage(imageName: string): Promise<boolean> {
    return this.#setStarred(imageName, true)
  }

  /** Clears the star (`unstar_image`). Returns false when there is no such image. */
  unstarImage(imageName: string): Promise<boolean> {
    return this.#setStarred(imageName, false)
  }

  /** How many images are on this board (`get_image_count`), intermediates not counted. */
  getImageCount(): Promise<number> {
    return this.#parts.images.count({ boardId: this.boardId, isIntermediate: false })
  }

  async #setStarred(imageName: string, starred: boolean): Promise<boolean> {
    try {
      const image = await this.#parts.images.update(imageName, { starred })
      return image.starred === starred
    } catch (error) {
      if (isRefused(error, 'image_update_failed', 'image_not_found', 'not_found')) return false
      throw error
    }
  }

  async #uncategorize(imageName: string): Promise<boolean> {
    try {
      const { removed_images } = await this.#parts.http.call(removeImageFromBoard, {
        body: { image_name: imageName },
      })
      if (!this.isUncategorized) this.#imageNames?.delete(imageName)
      return removed_images.includes(imageName)
    } catch (error) {
      if (isRefused(error, 'image_not_found', 'not_found')) return false
      throw error
    }
  }

  /** Against the complete list, not its first page (wire 11, row 7). A miss is looked up once more. */
  async #isOnBoard(imageName: string): Promise<boolean> {
    if (this.#imageNames?.has(imageName)) return true
    this.#imageNames = new Set(await this.#parts.boards.imageNames(this.boardId))
    return this.#imageNames.has(imageName)
  }

  #destination(options: HandleUploadOptions) {
    return { ...options, boardId: this.boardId }
  }

  #remember(image: ImageRecord): ImageRecord {
    this.#imageNames?.add(image.image_name)
    return image
  }
}
