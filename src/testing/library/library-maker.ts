import type { BoardHandle, TesseraClient } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import { type DrawFileOptions, drawFile } from './draw-file.ts'

export interface UploadOfTest extends DrawFileOptions {
  /** The name of a board that is there. Absent: uncategorized. */
  board?: string
  category?: ImageCategory
}

/** Makes and reads a library through the client, in the words of a test: boards and files by name. */
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

  /** Uploads one after the other, so that the last is the newest. */
  async uploadImages(fileNames: readonly string[], options: UploadOfTest = {}): Promise<void> {
    for (const fileName of fileNames) await this.uploadImage(fileName, options)
  }

  async starImages(...images: readonly ImageRecord[]): Promise<void> {
    await this.client.images.star(images.map((image) => image.image_name))
  }

  /** The records on a board, or in Assets where none is named: starred first, then newest. */
  async imagesOn(board?: string): Promise<ImageRecord[]> {
    const boardId = await this.#boardId(board)
    return (await this.client.images.page({ boardId }, { offset: 0, limit: -1 })).items
  }

  /**
   * The file names of what is on a board, or in Assets: starred first, then newest.
   *
   * @returns `null` while no board has this name, so that a test can wait for it.
   */
  async namesOn(board?: string): Promise<(string | null)[] | null> {
    if (board !== undefined && !(await this.boardNames()).includes(board)) return null
    return (await this.imagesOn(board)).map((image) => image.file_name)
  }

  /** The file names of what is in the trash, newest there first. */
  async trashedNames(): Promise<(string | null)[]> {
    const { items } = await this.client.trash.list({ offset: 0, limit: 1000 })
    return items.map((image) => image.file_name)
  }

  /** The names of all boards, newest first. */
  async boardNames(): Promise<string[]> {
    return (await this.client.boards.listBoards()).map((board) => board.board_name)
  }

  /** The id of the first board of this name; `none` where no name is given. */
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

/** Cancels and deletes every item of the queue, lets the queue run again, and waits until it rests. */
export async function emptyQueue({ queue }: TesseraClient): Promise<void> {
  if ((await queue.status()).queue.total > 0) await queue.clear()
  while ((await queue.resume()).is_processing);
}

/**
 * Deletes all boards and images, also those in the trash.
 *
 * @returns false if something is left that cannot be deleted, such as items of the queue or an import.
 */
export async function emptyLibrary(client: TesseraClient): Promise<boolean> {
  const [{ queue }, imports] = await Promise.all([client.queue.status(), client.imports.list()])
  if (queue.total > 0 || imports.length > 0) return false
  for (const { board_id } of await client.boards.listBoards())
    if (board_id !== null) await client.boards.deleteBoard(board_id, { deleteImages: true })
  await client.images.deleteUncategorized()
  await client.trash.empty()
  const [boards, imageCount, trash] = await Promise.all([
    client.boards.listBoards(),
    client.images.count({}),
    client.trash.list({ offset: 0, limit: 1 }),
  ])
  return boards.length + imageCount + trash.total + trash.boards.length === 0
}
