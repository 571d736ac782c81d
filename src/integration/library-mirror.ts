import {
  type Board,
  ConnectionError,
  type ImageRecord,
  type LibraryChanges,
  RefusedError,
  type TesseraClient,
} from '#client/index.ts'

/** A library by IDs and names, without the trash. */
export interface LibraryRecords {
  boards: Map<string, Board>
  images: Map<string, ImageRecord>
}

export const readLibrary = async ({
  boardOperations,
  images,
}: TesseraClient): Promise<LibraryRecords> => {
  const list = await boardOperations.list({ includeArchived: true })
  // Others can delete a board meanwhile.
  const found = await Promise.all(
    list.map(({ board_id }) => orIfGone(boardOperations.get(board_id), null)),
  )
  const boards = found.filter((board) => board !== null)
  const { image_names } = await images.names({})
  const records = await images.getMany(image_names)
  return {
    boards: new Map(boards.map((board) => [board.board_id, board])),
    images: new Map(records.map((image) => [image.image_name, image])),
  }
}

/** Returns the records that differ, in a form that a failed test can print. */
export const differences = (found: LibraryRecords, expected: LibraryRecords): string[] =>
  (['boards', 'images'] as const).flatMap((kind) => {
    const ids = new Set([...found[kind].keys(), ...expected[kind].keys()])
    return [...ids].flatMap((id) => {
      const [has, should] = [found, expected].map((records) =>
        JSON.stringify(records[kind].get(id)),
      )
      return has === should ? [] : `${kind} ${id} is ${has} instead of ${should}`
    })
  })

/** A copy of a library that reads only what the server lists as changed. */
export class LibraryMirror {
  records: LibraryRecords
  readonly #client: TesseraClient
  readonly #stop = new AbortController()

  /** @param records - The library at the state `since`, or later. */
  constructor(client: TesseraClient, { since, records }: Start) {
    this.#client = client
    this.records = { boards: new Map(records.boards), images: new Map(records.images) }
    this.following = this.#follow(since)
    this.following.catch(() => {})
  }

  /** Fails if the mirror fails or ends. */
  readonly following: Promise<void>

  end(): void {
    this.#stop.abort()
    this.#client.close()
  }

  async #follow(since: string): Promise<void> {
    const { signal } = this.#stop
    const all = this.#client.changes.watch({ since, pollMs: 100, signal })
    for await (const changes of all) await insist(() => this.#apply(changes))
  }

  async #apply(changes: LibraryChanges): Promise<void> {
    if (changes.is_everything_unlisted) {
      this.records = await readLibrary(this.#client)
      return
    }
    const { images, boards, unlisted_boards } = changes
    for (const id of [...boards.created, ...boards.updated]) await this.#readBoard(id)
    const unlisted = new Set([...unlisted_boards, ...boards.destroyed])
    const names = new Set([...images.created, ...images.updated])
    for (const { image_name, board_id } of this.records.images.values())
      if (unlisted.has(board_id ?? 'none')) names.add(image_name)
    for (const id of unlisted_boards) for (const name of await this.#namesOn(id)) names.add(name)
    await this.#readImages([...names])
    for (const name of images.destroyed) this.records.images.delete(name)
    for (const id of boards.destroyed) this.records.boards.delete(id)
  }

  async #readBoard(id: string): Promise<void> {
    if (id === 'none') return
    const board = await orIfGone(this.#client.boardOperations.get(id), null)
    if (board === null) this.records.boards.delete(id)
    else this.records.boards.set(id, board)
  }

  #namesOn(boardId: string): Promise<string[]> {
    return orIfGone(this.#client.boardOperations.imageNames(boardId), [])
  }

  async #readImages(names: readonly string[]): Promise<void> {
    const found = await this.#client.images.getMany(names)
    for (const name of names) this.records.images.delete(name)
    for (const image of found)
      if (image.deleted_at === null) this.records.images.set(image.image_name, image)
  }
}

interface Start {
  since: string
  records: LibraryRecords
}

/** Repeats reads until all of them arrived. */
const insist = async (work: () => Promise<void>): Promise<void> => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
    }
  }
}

const orIfGone = <Value>(asked: Promise<Value>, gone: Value): Promise<Value> =>
  asked.catch((error: unknown) => {
    if (error instanceof RefusedError && error.status === 404) return gone
    throw error
  })
