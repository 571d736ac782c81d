import type { BoardHandle, TesseraClient } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import { type DrawFileOptions, drawFile } from './draw-file.ts'

export interface UploadOfTest extends DrawFileOptions {
  /** The name of an existing board. Absent: uncategorized. */
  board?: string
  category?: ImageCategory
}

/** Creates and reads the content of a library through the client, with boards and files by name. */
export class LibraryMaker {
  readonly client: TesseraClient

  constructor(client: TesseraClient) {
    this.client = client
  }

  createBoard(name: string): Promise<BoardHandle> {
    return this.client.boards.createBoard(name)
  }

  async uploadImage(fileName: string, options: UploadOfTest = {}): Promise<ImageRecord> {
    const bytes = await drawFile(fileName, options)
    return this.client.uploads.upload({ bytes, fileName }, await this.#destination(options))
  }

  /** Uploads files one after the other, so that the last is the newest. */
  async uploadImages(fileNames: readonly string[], options: UploadOfTest = {}): Promise<void> {
    for (const fileName of fileNames) await this.uploadImage(fileName, options)
  }

  async starImages(...images: readonly ImageRecord[]): Promise<void> {
    await this.client.images.star(images.map((image) => image.image_name))
  }

  /** Returns the records of a board, or of Assets by default: starred first, then newest. */
  async imagesOn(board?: string): Promise<ImageRecord[]> {
    const boardId = await this.#boardId(board)
    return (await this.client.images.page({ boardId }, { offset: 0, limit: -1 })).items
  }

  /**
   * Returns the file names of a board, or of Assets by default: starred first, then newest.
   *
   * @returns `null` if there is no board with this name, so that a test can wait for it.
   */
  async namesOn(board?: string): Promise<(string | null)[] | null> {
    if (board !== undefined && !(await this.boardNames()).includes(board)) return null
    return (await this.imagesOn(board)).map((image) => image.file_name)
  }

  /** Returns the file names in the trash, most recently trashed first. */
  async trashedNames(): Promise<(string | null)[]> {
    const { items } = await this.client.trash.list({ offset: 0, limit: 1000 })
    return items.map((image) => image.file_name)
  }

  /** Returns the names of all boards, newest first. */
  async boardNames(): Promise<string[]> {
    return (await this.client.boards.listBoards()).map((board) => board.board_name)
  }

  /** Returns the id of the first board with this name, or `none` without a name. */
  async #boardId(board: string | undefined): Promise<string> {
    if (board === undefined) return UNCATEGORIZED_BOARD_ID
    const handle = await this.client.boards.getBoardHandleByName(board)
    if (handle === null) throw new Error(`No board is named ${board}.`)
    return handle.boardId
  }

  async #destination({ board, category }: UploadOfTest) {
    return { boardId: await this.#boardId(board), ...(category && { imageCategory: category }) }
  }
}

/** Cancels and deletes every item of the queue, resumes the queue, and waits until it is idle. */
export async function emptyQueue({ queue }: TesseraClient): Promise<void> {
  if ((await queue.status()).queue.total > 0) await queue.clear()
  while ((await queue.resume()).is_processing);
}

/**
 * Deletes all boards, images and videos, including those in the trash.
 *
 * @returns False if something is left that cannot be deleted, such as items of the queue or an import.
 */
export async function emptyLibrary(client: TesseraClient): Promise<boolean> {
  const [{ queue }, imports] = await Promise.all([client.queue.status(), client.imports.list()])
  if (queue.total > 0 || imports.length > 0) return false
  for (const { board_id } of await client.boards.listBoards())
    if (board_id !== null) await client.boards.deleteBoard(board_id, { deleteImages: true })
  for (const { search_id } of await client.searches.list()) await client.searches.delete(search_id)
  for (const { name } of await client.tags.list()) await client.tags.delete(name)
  await client.images.deleteUncategorized()
  await client.videos.deleteUncategorized()
  await client.trash.empty()
  const [boards, imageCount, trash] = await Promise.all([
    client.boards.listBoards(),
    client.images.count({ kind: 'all' }),
    client.trash.list({ offset: 0, limit: 1, kind: 'all' }),
  ])
  return boards.length + imageCount + trash.total + trash.boards.length === 0
}
