import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { TesseraClient } from '#client/index.ts'
import type { Graph } from '#contract/queue/graph.ts'
import { seededRandom } from '#demo/seeded-random.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import type { Cluster } from './cluster.ts'
import { type FileOfLoad, type Found, isOutage, TRASH, Writer } from './writer.ts'

const WRITERS = 4

/** A client that got no answer waits before the next request, as every client should. */
const PAUSE_MS = 100

export interface LoadOptions {
  seed: number
  /** Boards of the uploads. */
  boardIds: readonly [string, ...string[]]
  /** Graph of the queue items. */
  graph: { id: string; nodes: object; edges: unknown[] }
}

/** Writers and a client of the queue that use a cluster at the same time, through its proxy. */
export class Load {
  readonly writers: readonly Writer[]
  /** Acknowledged items of the queue. */
  readonly itemIds: number[] = []
  readonly #client: TesseraClient
  readonly #graph: LoadOptions['graph']
  readonly #waiting = new Set<() => void>()
  #isStopping = false
  #acknowledged = 0
  #failed = 0
  #ended: Promise<unknown> = Promise.resolve()

  private constructor(cluster: Cluster, files: FilesOfLoad, options: LoadOptions) {
    this.#client = cluster.connect()
    this.#graph = options.graph
    this.writers = Array.from(
      { length: WRITERS },
      (_, index) =>
        new Writer(cluster.connect(), seededRandom(options.seed + index), files, options.boardIds),
    )
  }

  static async prepare(cluster: Cluster, options: LoadOptions): Promise<Load> {
    return new Load(cluster, await drawFiles(), options)
  }

  start(): void {
    this.#isStopping = false
    this.#ended = Promise.all([
      ...this.writers.map((writer) => this.#write(writer)),
      this.#enqueue(),
    ])
    this.#ended.catch(() => this.#notify())
  }

  /** Ends when the server has acknowledged this many further requests. */
  async acknowledged(count: number): Promise<void> {
    const enough = this.#acknowledged + count
    await this.#until(() => this.#acknowledged >= enough)
  }

  /** Ends when this many further requests have failed. */
  async failed(count: number): Promise<void> {
    const enough = this.#failed + count
    await this.#until(() => this.#failed >= enough)
  }

  /** Ends when every upload is acknowledged. @throws What the server refused without a reason. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#ended
  }

  /** Compares what the server acknowledged with its images. Boards of the load must have no further ones. */
  faultsAgainst(found: ReadonlyMap<string, Found>, boardIds: readonly string[]): string[] {
    const known = new Set(this.writers.flatMap(({ images }) => [...images.keys()]))
    const unknown = [...found].filter(
      ([name, { place }]) => boardIds.includes(place) && !known.has(name),
    )
    return [
      ...this.writers.flatMap((writer) => writer.faultsAgainst(found)),
      ...unknown.map(([name]) => `${name} was uploaded twice`),
    ]
  }

  /** Returns the SHA-256 of all images that can be read. */
  hashesOnBoards(): Map<string, string> {
    const images = this.writers.flatMap((writer) => [...writer.images])
    const readable = images.filter(([, { places }]) => !places.has(TRASH))
    return new Map(readable.map(([name, { hash }]) => [name, hash]))
  }

  async #write(writer: Writer): Promise<void> {
    while (!this.#isStopping || writer.hasPendingUploads) await this.#count(await writer.act())
  }

  async #enqueue(): Promise<void> {
    while (!this.#isStopping) await this.#count(await this.#enqueueOne())
  }

  async #enqueueOne(): Promise<boolean> {
    try {
      const itemId = await this.#client.queue.enqueueOne({ graph: this.#graph as Graph })
      this.itemIds.push(itemId)
      // The queue does not grow: the next item follows when this one is no longer waiting.
      while (!this.#isStopping && (await this.#isWaiting(itemId))) await delay(PAUSE_MS)
      return true
    } catch (error) {
      if (!isOutage(error)) throw error
      return false
    }
  }

  async #isWaiting(itemId: number): Promise<boolean> {
    return (await this.#client.queue.items([itemId]))[0]?.status === 'pending'
  }

  async #count(isAcknowledged: boolean): Promise<void> {
    if (isAcknowledged) this.#acknowledged += 1
    else this.#failed += 1
    this.#notify()
    if (!isAcknowledged) await delay(PAUSE_MS)
  }

  async #until(isEnough: () => boolean): Promise<void> {
    // The load ends early only by an error, which this throws.
    while (!isEnough()) await Promise.race([this.#nextRequest(), this.#ended])
  }

  #nextRequest(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

type FilesOfLoad = [FileOfLoad, ...FileOfLoad[]]

const drawFiles = async (): Promise<FilesOfLoad> => {
  const draw = async (fileName: string) => {
    const file = await drawFile(fileName, { widthPx: 160, heightPx: 120 })
    return {
      file,
      hash: createHash('sha256')
        .update(await file.bytes())
        .digest('hex'),
    }
  }
  const names = ['dog.png', 'fox.jpg', 'owl.webp', 'eel.png', 'elk.gif', 'ant.png']
  return [await draw('cat.png'), ...(await Promise.all(names.map(draw)))]
}
