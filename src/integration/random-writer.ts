import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { ConnectionError, RefusedError, type TesseraClient } from '#client/index.ts'

/** Index of an image or a board, modulo the number of existing ones. */
const which = fc.nat({ max: 1000 })
const some = fc.array(which, { minLength: 1, maxLength: 4 })
const all = fc.boolean()

/** More images than an entry of the log of changes names. */
const MANY = 250

/** One change of a library. Its numbers select images and boards that exist at that time. */
export const anyChange = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('upload'), board: which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('copy'), images: some, board: which }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('star'), images: some, all }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('move'), images: some, board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move all'), board: which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('trash'), images: some }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore'), images: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), images: some }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hide'), images: some, all }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create'), board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename'), board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('place'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin'), board: which, all }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('archive'), board: which, all }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cover'), images: some, board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('trash board'), board: which, all }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore board'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete board'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fill'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('empty trash') }) },
)

/** Time between two attempts while the server is away, in milliseconds. */
const AWAY_MS = 50

/** A change to make. Fields that do not apply to its kind are absent. */
export interface Change {
  do: string
  images?: number[]
  board?: number
  all?: boolean
}

/** A client that changes a library at random, next to others. */
export class RandomWriter {
  readonly #client: TesseraClient
  readonly #file: Blob

  constructor(client: TesseraClient, file: Blob) {
    this.#client = client
    this.#file = file
  }

  /** Makes a change. It has no effect if another writer has removed its images or boards. */
  async make(change: Change): Promise<void> {
    for (;;) {
      try {
        return await this.#make(change)
      } catch (error) {
        if (error instanceof RefusedError && error.status < 500) return
        if (!isAway(error)) throw error
        await delay(AWAY_MS)
      }
    }
  }

  async #make(change: Change): Promise<void> {
    const { images, trash, uploads } = this.#client
    const { image_names } = await images.names({})
    const names = chosen(image_names, change.images)
    const boards = await this.#client.boardOperations.list({ includeArchived: true })
    const boardIds = ['none', ...boards.map(({ board_id }) => board_id)]
    const target = nth(boardIds, change.board) ?? 'none'
    switch (change.do) {
      case 'upload':
        return void (await uploads.upload({ bytes: this.#file }, { boardId: target }))
      case 'copy':
        return void (await images.copy(names, target))
      case 'fill':
        return image_names.length < MANY ? this.#fill(target) : undefined
      case 'star':
        return void (await (change.all ? images.star(names) : images.unstar(names)))
      case 'move':
        return void (await images.move(names, target))
      case 'move all':
        return void (await images.move(image_names, target))
      case 'trash':
        return void (await trash.trashImages(names))
      case 'delete':
        return void (await images.delete(names))
      case 'hide':
        for (const name of names) await images.update(name, { is_intermediate: change.all ?? true })
        return
      case 'create':
        return void (await this.#client.boards.createBoard(`Board ${change.board}`))
      case 'empty trash':
        return void (await trash.empty())
      case 'restore':
      case 'restore board':
        return this.#restore(change)
      default:
        if (target !== 'none') await this.#changeBoard(target, change)
    }
  }

  /** Adds many images: one, and copies of it. */
  async #fill(boardId: string): Promise<void> {
    const { images, uploads } = this.#client
    const { image_name } = await uploads.upload({ bytes: this.#file }, { boardId })
    for (let names = [image_name]; names.length < MANY; ) {
      const { copied_images } = await images.copy(names, boardId)
      if (copied_images.length === 0) return
      names = [...names, ...copied_images.map((copy) => copy.image_name)]
    }
  }

  async #restore(change: Change): Promise<void> {
    const { trash } = this.#client
    const { items, boards } = await trash.list({ offset: 0, limit: 1000 })
    const names = items.map(({ image_name }) => image_name)
    const board = nth(boards, change.board)
    if (change.do === 'restore') await trash.restore({ imageNames: chosen(names, change.images) })
    else if (board !== undefined) await trash.restore({ boardIds: [board.board_id] })
  }

  async #changeBoard(id: string, change: Change): Promise<void> {
    const { boardOperations, trash } = this.#client
    const isOn = change.all ?? false
    const number = change.board ?? 0
    if (change.do === 'trash board') await trash.trashBoard(id, { includeImages: isOn })
    else if (change.do === 'delete board') await boardOperations.delete(id)
    else await boardOperations.update(id, await this.#boardChanges(id, { ...change, isOn, number }))
  }

  async #boardChanges(id: string, change: Change & { isOn: boolean; number: number }) {
    switch (change.do) {
      case 'rename':
        return { board_name: `Name ${change.number}` }
      case 'place':
        return { position: `b${10 + (change.number % 90)}` }
      case 'pin':
        return { starred: change.isOn }
      case 'archive':
        return { archived: change.isOn }
      case 'cover': {
        const names = await this.#client.boardOperations.imageNames(id)
        return { cover_image_name: chosen(names, change.images)[0] ?? '' }
      }
      default:
        throw new Error(`There is no change ${change.do}.`)
    }
  }
}

/** A server that stops refuses with 503 before it is away. */
const isAway = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof RefusedError && error.status === 503)

const nth = <Item>(items: readonly Item[], at = 0): Item | undefined => items[at % items.length]

const chosen = (names: readonly string[], indices: readonly number[] = []): string[] => [
  ...new Set(indices.flatMap((at) => nth(names, at) ?? [])),
]
