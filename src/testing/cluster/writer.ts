import { randomUUID } from 'node:crypto'
import { ConnectionError, RefusedError, type TesseraClient } from '#client/index.ts'
import type { SeededRandom } from '#demo/seeded-random.ts'

/** Place of an image: a board's id, `none`, or one of the following. */
export type Place = string

export const TRASH: Place = 'the trash'
export const GONE: Place = 'nowhere'

/** A file to upload with its SHA-256. */
export interface FileOfLoad {
  file: File
  hash: string
}

/** The expected state of an uploaded image: one value after the server has acknowledged a change, two if it has not. */
interface Known {
  hash: string
  places: Set<Place>
  stars: Set<boolean>
}

/** The actual state of an image. */
export interface Found {
  place: Place
  isStarred: boolean
}

interface PendingUpload {
  uploadId: string
  boardId: string
  content: FileOfLoad
}

const FILES_PER_UPLOAD = 2

/**
 * Simulates one user of a cluster: uploads, moves, stars, trashes and deletes images one request at a time, and goes on
 * after a failure. It changes only its own uploads, so it knows the state of each, or its two possible states. A failed
 * upload is repeated with the same id, as the page does.
 */
export class Writer {
  readonly images = new Map<string, Known>()
  readonly #client: TesseraClient
  readonly #random: SeededRandom
  readonly #files: readonly [FileOfLoad, ...FileOfLoad[]]
  readonly #boardIds: readonly [string, ...string[]]
  #pending: PendingUpload[] = []

  constructor(
    client: TesseraClient,
    random: SeededRandom,
    files: readonly [FileOfLoad, ...FileOfLoad[]],
    boardIds: readonly [string, ...string[]],
  ) {
    this.#client = client
    this.#random = random
    this.#files = files
    this.#boardIds = boardIds
  }

  /**
   * Sends one request. Returns false if it is unknown whether the server carried it out.
   *
   * @throws The server refused a request that it should have accepted.
   */
  async act(): Promise<boolean> {
    try {
      await this.#choose()
      return !this.hasPendingUploads
    } catch (error) {
      if (!isOutage(error)) throw error
      return false
    }
  }

  /** True if uploads were sent and not acknowledged. `act` repeats them. */
  get hasPendingUploads(): boolean {
    return this.#pending.length > 0
  }

  /** Compares the expected states with the actual ones, which become the expected ones. */
  faultsAgainst(found: ReadonlyMap<string, Found>): string[] {
    const faults: string[] = []
    for (const [name, known] of this.images) {
      const { place, isStarred } = found.get(name) ?? { place: GONE, isStarred: false }
      if (!known.places.has(place))
        faults.push(`${name} is in ${place}, acknowledged was ${[...known.places].join(' or ')}`)
      if (place === GONE) this.images.delete(name)
      else if (!known.stars.has(isStarred))
        faults.push(`${name} is ${isStarred ? '' : 'not '}starred, acknowledged was the opposite`)
      known.places = new Set([place])
      known.stars = new Set([isStarred])
    }
    return faults
  }

  #choose(): Promise<void> {
    if (this.#pending.length > 0) return this.#sendUploads()
    const names = this.#some()
    const action = this.#random.integer(1, 10)
    if (action <= 4 || names.length === 0) return this.#upload()
    if (action <= 6) return this.#move(names)
    if (action <= 8) return this.#star(names)
    return action === 9 ? this.#trash(names) : this.#delete(names)
  }

  #upload(): Promise<void> {
    const boardId = this.#random.pick(this.#boardIds)
    this.#pending = Array.from({ length: FILES_PER_UPLOAD }, () => ({
      uploadId: randomUUID(),
      boardId,
      content: this.#random.pick(this.#files),
    }))
    return this.#sendUploads()
  }

  async #sendUploads(): Promise<void> {
    const sent = this.#pending
    const files = sent.map(({ uploadId, content }) => ({ bytes: content.file, uploadId }))
    const boardId = sent[0]?.boardId
    for await (const line of this.#client.uploads.uploadBatch(files, { boardId })) {
      const upload = sent[line.index]
      if (upload === undefined) throw new Error(`No file has the index ${line.index}.`)
      if (line.image === null) {
        if ((line.refusal?.status ?? 0) >= 500) continue
        throw new Error(`An upload was refused: ${line.refusal?.detail}`)
      }
      this.#pending = this.#pending.filter(({ uploadId }) => uploadId !== upload.uploadId)
      this.images.set(line.image.image_name, {
        hash: upload.content.hash,
        places: new Set([upload.boardId]),
        stars: new Set([false]),
      })
    }
  }

  #move(names: string[]): Promise<void> {
    const boardId = this.#random.pick(this.#boardIds)
    return this.#relocate(names, boardId, () => this.#client.images.move(names, boardId))
  }

  #trash(names: string[]): Promise<void> {
    return this.#relocate(names, TRASH, () => this.#client.trash.trashImages(names))
  }

  async #delete(names: string[]): Promise<void> {
    await this.#relocate(names, GONE, () => this.#client.images.delete(names))
  }

  async #star(names: string[]): Promise<void> {
    const known = this.#knownOf(names)
    for (const image of known) image.stars.add(true)
    await this.#client.images.star(names)
    for (const image of known) image.stars = new Set([true])
  }

  async #relocate(names: string[], to: Place, send: () => Promise<unknown>): Promise<void> {
    const known = this.#knownOf(names)
    for (const image of known) image.places.add(to)
    await send()
    for (const image of known) image.places = new Set([to])
  }

  #knownOf(names: readonly string[]): Known[] {
    return names.flatMap((name) => this.images.get(name) ?? [])
  }

  /** Returns up to three images on boards whose state is certain. */
  #some(): string[] {
    const isCertain = ({ places, stars }: Known) => places.size === 1 && stars.size === 1
    const isOnBoard = ({ places }: Known) => !places.has(TRASH) && !places.has(GONE)
    const usable = [...this.images].filter(([, known]) => isCertain(known) && isOnBoard(known))
    const start = this.#random.integer(0, Math.max(0, usable.length - 1))
    return usable.slice(start, start + this.#random.integer(1, 3)).map(([name]) => name)
  }
}

/** True if an error says that the server, the proxy or the line is away, and not that the request is wrong. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof RefusedError && error.status >= 500)
