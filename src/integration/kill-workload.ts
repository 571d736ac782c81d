import { ConnectionError, type TesseraClient } from '#client/index.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { SeededRandom } from '#demo/seeded-random.ts'
import { type Place, TRASH } from './library-consistency.ts'

const GONE: Place = 'nowhere'

/** A file to upload with its hash. */
export interface FileOfWorkload {
  file: File
  hash: string
}

/** The expected state of an uploaded image. */
interface Known {
  hash: string
  /** Possible places: one after the server has acknowledged a change, two while a request is pending. */
  places: Set<Place>
}

/**
 * Simulates one user of a library: uploads, moves, stars, copies, trashes and deletes images and videos one request at a
 * time, until the server is gone. It changes only its own uploads, so it always knows the place of each
 * image, or the two possible places.
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

  /** Uploads images, so that there are some to move, trash and delete from the start. */
  async begin(): Promise<void> {
    for (let batch = 0; batch < 3; batch++) await this.#uploadBatch()
  }

  /** Works until the server is gone. Any other error is a fault of the server and is thrown. */
  async run(): Promise<void> {
    try {
      for (;;) await this.#act()
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
    }
  }

  /** Compares the expected places with the actual ones, which become the expected ones. */
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
    const name = isVideoName(file.name)
      ? (await this.#client.videos.upload({ bytes: file }, { boardId })).video_name
      : (await this.#client.uploads.upload({ bytes: file }, { boardId })).image_name
    this.images.set(name, { hash, places: new Set([boardId]) })
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

  /** Returns up to three images outside the trash, since images in the trash cannot be moved. */
  #some(): string[] {
    const movable = [...this.images].filter(([, { places }]) => !places.has(TRASH))
    const start = this.#random.integer(0, Math.max(0, movable.length - 1))
    return movable.slice(start, start + this.#random.integer(1, 3)).map(([name]) => name)
  }

  #aBoard(): string {
    return this.#random.pick(['none', ...this.#boardIds])
  }
}
