import fc from 'fast-check'
import type { TesseraClient } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { type Place, TRASH } from './library-consistency.ts'

/** Index of an image or a board, modulo the number of existing ones. */
const which = fc.nat({ max: 1000 })
const some = fc.array(which, { minLength: 1, maxLength: 4 })
const boardAndAll = { board: which, all: fc.boolean() }

/** One change of a library. Its numbers select images and boards that exist at that time. */
export const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('upload'), board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create board') }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('move'), images: some, board: which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('star'), images: some, on: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('trash'), images: some }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('restore'), images: some }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('trash board'), ...boardAndAll }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('restore board'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), images: some }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete board'), ...boardAndAll }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete uncategorized') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('empty trash') }) },
)

/** A step to execute. Fields that do not apply to its kind are absent. */
export interface Step {
  do: string
  board?: number
  images?: number[]
  on?: boolean
  all?: boolean
}

interface ModelImage {
  place: Place
  isTrashed: boolean
  isStarred: boolean
  /** The trashed board that the image returns to when that board is restored. */
  home: string | null
}

const NONE = UNCATEGORIZED_BOARD_ID

/** The expected state of a library after a sequence of steps: a second, simple implementation of the rules. */
export class LibraryModel {
  readonly #client: TesseraClient
  readonly #file: Blob
  readonly #images = new Map<string, ModelImage>()
  readonly #boards = new Set<string>()
  readonly #trashedBoards = new Set<string>()

  constructor(client: TesseraClient, file: Blob) {
    this.#client = client
    this.#file = file
  }

  /** Returns the expected place of each image. */
  places(): Map<string, Place> {
    return new Map(
      [...this.#images].map(([name, { place, isTrashed }]) => [name, isTrashed ? TRASH : place]),
    )
  }

  /** Returns the images outside the trash that must have a star. */
  starred(): string[] {
    return this.#where((image) => image.isStarred && !image.isTrashed).sort()
  }

  /** Executes a step on the server and in the model. Skips a step that has nothing to act on. */
  async take(step: Step): Promise<void> {
    const names = [...new Set((step.images ?? []).flatMap((n) => nth([...this.#images.keys()], n)))]
    const [board] = nth([...this.#boards], step.board)
    const [trashedBoard] = nth([...this.#trashedBoards], step.board)
    if (step.do === 'upload') await this.#upload(this.#target(step.board))
    else if (step.do === 'create board') await this.#createBoard()
    else if (step.do === 'delete uncategorized') await this.#deleteUncategorized()
    else if (step.do === 'empty trash') await this.#emptyTrash()
    else if (step.do === 'restore board') await this.#restoreBoard(trashedBoard)
    else if (step.do === 'delete board') await this.#deleteBoard(board, step.all ?? false)
    else if (step.do === 'trash board') await this.#trashBoard(board, step.all ?? false)
    else if (names.length === 0) return
    else if (step.do === 'move') await this.#move(names, this.#target(step.board))
    else if (step.do === 'star') await this.#star(names, step.on ?? true)
    else if (step.do === 'delete') await this.#delete(names)
    else if (step.do === 'trash') await this.#trash(names)
    else if (step.do === 'restore') await this.#restore(names)
    else throw new Error(`no such step: ${step.do}`)
  }

  async #upload(boardId: string): Promise<void> {
    const { image_name } = await this.#client.uploads.upload({ bytes: this.#file }, { boardId })
    this.#images.set(image_name, { place: boardId, isTrashed: false, isStarred: false, home: null })
  }

  async #createBoard(): Promise<void> {
    this.#boards.add((await this.#client.boards.createBoard('Board')).boardId)
  }

  async #move(names: string[], to: string): Promise<void> {
    await this.#client.images.move(names, to)
    for (const image of this.#live(names)) Object.assign(image, { place: to, home: null })
  }

  async #star(names: string[], on: boolean): Promise<void> {
    await (on ? this.#client.images.star(names) : this.#client.images.unstar(names))
    for (const image of this.#live(names)) image.isStarred = on
  }

  async #delete(names: string[]): Promise<void> {
    await this.#client.images.delete(names)
    for (const name of names) this.#images.delete(name)
  }

  async #deleteUncategorized(): Promise<void> {
    await this.#client.images.deleteUncategorized()
    this.#drop((image) => image.place === NONE && !image.isTrashed)
  }

  async #trash(names: string[]): Promise<void> {
    await this.#client.trash.trashImages(names)
    for (const image of this.#live(names)) {
      image.isTrashed = true
      if (image.place !== NONE || image.home === null) continue
      image.place = image.home
      image.home = null
    }
  }

  async #restore(imageNames: string[]): Promise<void> {
    await this.#client.trash.restore({ imageNames })
    for (const name of imageNames) {
      const image = this.#images.get(name)
      if (!image?.isTrashed) continue
      image.isTrashed = false
      if (!this.#trashedBoards.has(image.place)) continue
      image.home = image.place
      image.place = NONE
    }
  }

  async #deleteBoard(board: string | undefined, withImages: boolean): Promise<void> {
    if (board === undefined) return
    await this.#client.boards.deleteBoard(board, { deleteImages: withImages })
    if (withImages) this.#drop((image) => image.place === board && !image.isTrashed)
    this.#forget(board)
  }

  async #trashBoard(board: string | undefined, withImages: boolean): Promise<void> {
    if (board === undefined) return
    await this.#client.trash.trashBoard(board, { includeImages: withImages })
    this.#boards.delete(board)
    this.#trashedBoards.add(board)
    for (const image of this.#images.values()) {
      if (image.place !== board || image.isTrashed) continue
      Object.assign(image, withImages ? { isTrashed: true } : { place: NONE })
      image.home = board
    }
  }

  async #restoreBoard(board: string | undefined): Promise<void> {
    if (board === undefined) return
    await this.#client.trash.restore({ boardIds: [board] })
    this.#trashedBoards.delete(board)
    this.#boards.add(board)
    for (const image of this.#images.values()) {
      if (image.home !== board) continue
      // A trashed image went to the trash with the board, unless it was trashed on its own later.
      if (image.place === board) image.isTrashed = false
      image.place = board
      image.home = null
    }
  }

  async #emptyTrash(): Promise<void> {
    await this.#client.trash.empty()
    this.#drop((image) => image.isTrashed)
    for (const board of [...this.#trashedBoards]) this.#forget(board)
  }

  #forget(board: string): void {
    this.#boards.delete(board)
    this.#trashedBoards.delete(board)
    for (const image of this.#images.values()) {
      if (image.place === board) image.place = NONE
      if (image.home === board) image.home = null
    }
  }

  #drop(isMeant: (image: ModelImage) => boolean): void {
    for (const name of this.#where(isMeant)) this.#images.delete(name)
  }

  #where(isMeant: (image: ModelImage) => boolean): string[] {
    return [...this.#images].filter(([, image]) => isMeant(image)).map(([name]) => name)
  }

  #live(names: readonly string[]): ModelImage[] {
    return names.flatMap((name) => this.#images.get(name) ?? []).filter((image) => !image.isTrashed)
  }

  #target(board: number | undefined): string {
    return nth([NONE, ...this.#boards], board)[0] ?? NONE
  }
}

/** Returns one of the items in a list, or an empty list if there are no items. */
function nth<T>(items: readonly T[], index: number | undefined): T[] {
  if (index === undefined || items.length === 0) return []
  return items.slice(index % items.length, (index % items.length) + 1)
}
