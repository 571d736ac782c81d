import { ConnectionError, type TesseraClient } from '#client/index.ts'
import type { SeededRandom } from '#demo/seeded-random.ts'
import { type Place, TRASH } from './library-truth.ts'

const GONE: Place = 'nowhere'

/** A file to upload, and what its bytes hash to. */
export interface FileOfWorkload {
  file: File
  hash: string
}

/** What one worker knows of an image that it uploaded. */
interface Known {
  hash: string
  /** Where it may be: one place once the server has acknowledged, two while an answer is outstanding. */
  places: Set<Place>
}

/**
 * One person's work on a library: uploads, moves, stars, copies, trash and deletes, one after the other, until
 * the server is gone. It touches only what it uploaded itself, so it always knows where each image is,
 * or between which two places.
 */
export class KillWorkload {
  readonly images = new Map<string, Known>()
  readonly #client: TesseraClient
  readonly #random: SeededRandom
  readonly #files: readonly [FileOfWorkload, ...FileOfWorkload[]]
  readonly #boardIds: readonly [string, ...string[]]

  constructor(
    client: TesseraClient,
    random: SeededRandom,
    files: readonly [FileOfWorkload, ...FileOfWorkload[]],
    boardIds: readonly [string, ...string[]],
  ) {
    this.#client = client
    this.#random = random
    this.#files = files
    this.#boardIds = boardIds
  }

  /** Uploads what there is to move, trash and delete from the first moment on. */
  async begin(): Promise<void> {
    for (let batch = 0; batch < 3; batch++) await this.#uploadBatch()
  }

  /** Works until no answer comes any more. Any other fault is one of the server and is thrown. */
  async run(): Promise<void> {
    try {
      for (;;) await this.#act()
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
    }
  }

  /** Compares what it knows with where the images are now, and takes that as known from here on. */
  faultsAgainst(places: ReadonlyMap<string, Place>): string[] {
    const faults: string[] = []
    for (const [name, known] of this.images) {
      const place = places.get(name) ?? GONE
      if (!known.places.has(place)) {
        faults.push(`${name} is in ${place}, acknowledged was ${[...known.places].join(' or ')}`)
      }
      known.places = new Set([place])
      if (place === GONE) this.images.delete(name)
    }
    return faults
  }

  async #act(): Promise<void> {
    const action = this.#random.integer(1, 11)
    if (action <= 3) await this.#upload()
    else if (action === 4) await this.#uploadBatch()
    else if (action <= 6) await this.#move(this.#some())
    else if (action <= 8) await this.#delete(this.#some())
    else if (action === 9) await this.#trash(this.#some())
    else if (action === 10) await this.#star(this.#some())
    else await this.#copy(this.#some())
  }

  async #upload(): Promise<void> {
    const { file, hash } = this.#random.pick(this.#files)
    const boardId = this.#aBoard()
    const image = await this.#client.uploads.upload({ bytes: file }, { boardId })
    this.images.set(image.image_name, { hash, places: new Set([boardId]) })
  }

  async #uploadBatch(): Promise<void> {
    const batch = [1, 2, 3].map(() => this.#random.pick(this.#files))
    const boardId = this.#aBoard()
    const files = batch.map(({ file }) => ({ bytes: file }))
    for await (const { image, index, refusal } of this.#client.uploads.uploadBatch(files, {
      boardId,
    })) {
      const sent = batch[index]
      if (image === null || sent === undefined) throw new Error(`refused: ${refusal?.detail}`)
      this.images.set(image.image_name, { hash: sent.hash, places: new Set([boardId]) })
    }
  }

  async #move(imageNames: string[]): Promise<void> {
    const boardId = this.#aBoard()
    await this.#relocate(imageNames, boardId, () => this.#client.images.move(imageNames, boardId))
  }

  async #trash(imageNames: string[]): Promise<void> {
    await this.#relocate(imageNames, TRASH, () => this.#client.trash.trashImages(imageNames))
  }

  async #delete(imageNames: string[]): Promise<void> {
    await this.#relocate(imageNames, GONE, () => this.#client.images.delete(imageNames))
    for (const name of imageNames) this.images.delete(name)
  }

  async #star(imageNames: string[]): Promise<void> {
    await this.#client.images.star(imageNames)
  }

  async #copy(imageNames: string[]): Promise<void> {
    const boardId = this.#aBoard()
    const { copied_images } = await this.#client.images.copy(imageNames, boardId)
    for (const { image_name, copy_of } of copied_images) {
      const hash = this.images.get(copy_of)?.hash ?? 'unknown'
      this.images.set(image_name, { hash, places: new Set([boardId]) })
    }
  }

  async #relocate(imageNames: string[], to: Place, send: () => Promise<unknown>): Promise<void> {
    const known = imageNames.flatMap((name) => this.images.get(name) ?? [])
    for (const image of known) image.places.add(to)
    await send()
    for (const image of known) image.places = new Set([to])
  }

  /** Up to three images that are on a board or on none: what is in the trash cannot be moved. */
  #some(): string[] {
    const movable = [...this.images].filter(([, { places }]) => !places.has(TRASH))
    const start = this.#random.integer(0, Math.max(0, movable.length - 1))
    return movable.slice(start, start + this.#random.integer(1, 3)).map(([name]) => name)
  }

  #aBoard(): string {
    return this.#random.pick(['none', ...this.#boardIds])
  }
}
