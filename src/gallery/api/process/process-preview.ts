import type { QueueItem, TesseraClient } from '#client/index.ts'
import { getFullImage } from '#contract/image-operations.ts'
import { pathOf } from '#contract/operation.ts'
import { isFinal } from '#contract/queue/queue.ts'
import { type Clock, sleep } from '#gallery/api/clock.ts'
import type { Leftover, Leftovers } from '#gallery/api/queue/leftovers.ts'
import type { Queue } from '#gallery/api/queue/queue.ts'
import { faultOf, imageNamesIn, imageNamesOf } from '#gallery/api/queue/queue-entry.ts'
import { batchOf, type ProcessedImage } from './process-graph.ts'
import type { SizePx, Step } from './process-steps.ts'
import { QueueFullError } from './process-work.ts'

/** How often an item is polled, in milliseconds. The server exempts this from its limits. */
const ASK_MS = 200

/** The time after which the preview images of a closed page are deleted, in milliseconds. */
const PREVIEW_LIFETIME_MS = 3_600_000

const PREVIEW = { origin: 'tessera', destination: 'Preview' }

/** Returns true if a queue item belongs to a preview. Only the Process dialog shows such items. */
export const isPreview = (item: { origin: string | null; destination: string | null }): boolean =>
  item.origin === PREVIEW.origin && item.destination === PREVIEW.destination

/** A temporary image on the server. */
export interface PreviewPicture extends SizePx {
  readonly url: string
}

interface PreviewOptions {
  readonly signal: AbortSignal
  /** Called when the item is enqueued, and when it runs. */
  readonly onState: (state: 'queued' | 'running') => void
}

interface PreviewApi {
  readonly client: Pick<TesseraClient, 'images' | 'pacer' | 'queue'>
  readonly clock: Clock
  readonly leftovers: Pick<Leftovers, 'remove' | 'save'>
  readonly queue: Pick<Queue, 'refresh'>
}

/** When the next preview may be sent, in milliseconds since 1970. The last requests are left for user actions. */
export const previewFreeAt = (api: { readonly client: Pick<TesseraClient, 'pacer'> }): number =>
  api.client.pacer.freeAt({ limits: ['default', 'batch'], priority: 'preview' })

/** Runs steps on the server for a preview, one image at a time and before all other items. Only needed for models. */
export class PreviewMaker {
  readonly #api: PreviewApi
  /** Images to delete when the dialog closes. */
  readonly #made: string[] = []
  /** The batches with saved leftovers. */
  readonly #batchIds = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(api: PreviewApi) {
    this.#api = api
  }

  /**
   * Creates a preview.
   *
   * @returns null if it was aborted.
   * @throws {RefusedError | ConnectionError} The queue did not accept it.
   * @throws {Error} A step failed. The message says why.
   */
  async make(
    steps: readonly Step[],
    image: ProcessedImage,
    options: PreviewOptions,
  ): Promise<PreviewPicture | null> {
    // One after another, so that aborted previews in a series of changes send no request.
    const turn = this.#turn.then(() => this.#run(steps, image, options))
    this.#turn = turn.catch(() => {})
    return turn
  }

  async discard(): Promise<void> {
    try {
      await this.#turn
      if (this.#made.length > 0) await this.#api.client.images.delete(this.#made.splice(0))
      for (const batchId of this.#batchIds) this.#api.leftovers.remove(batchId)
      this.#batchIds.clear()
    } catch {
      // No view shows them, and a later sweep deletes them.
    }
  }

  async #run(
    steps: readonly Step[],
    image: ProcessedImage,
    { signal, onState }: PreviewOptions,
  ): Promise<PreviewPicture | null> {
    if (signal.aborted) return null
    const batch = { ...batchOf(steps, [image], 'preview'), ...PREVIEW }
    // It counts as a batch operation. Its priority leaves some of them for user actions.
    const taken = await this.#api.client.queue.enqueue(batch, {
      prepend: true,
      priority: 'preview',
    })
    const [itemId] = taken.item_ids
    if (itemId === undefined) throw new QueueFullError()
    const batchId = taken.batch.batch_id ?? ''
    this.#saveLeftover({ batchId, itemIds: [itemId], imageNames: [] })
    onState('queued')
    try {
      while (!signal.aborted) {
        const item = await this.#api.client.queue.item(itemId)
        if (item === null) throw new Error('It was removed from the queue.')
        if (item.status === 'in_progress') onState('running')
        if (item.status === 'failed') throw new Error(faultOf(item) ?? 'It failed.')
        if (item.status === 'canceled') throw new Error('It was canceled.')
        if (isFinal(item.status)) return pictureOf(this.#api, item)
        await sleep(this.#api.clock, ASK_MS)
      }
      return null
    } finally {
      await this.#forget(itemId, batchId)
    }
  }

  #saveLeftover(made: Omit<Leftover, 'notBefore'>): void {
    this.#batchIds.add(made.batchId)
    this.#api.leftovers.save({ ...made, notBefore: this.#api.clock.now() + PREVIEW_LIFETIME_MS })
  }

  /** Cancels an item if it still runs, remembers its images, and removes it from the queue. */
  async #forget(itemId: number, batchId: string): Promise<void> {
    try {
      const item = await this.#api.client.queue.cancel(itemId)
      const imageNames = item === null ? [] : imageNamesIn([item], true)
      this.#made.push(...imageNames)
      this.#saveLeftover({ batchId, itemIds: [], imageNames })
      await this.#api.client.queue.delete(itemId)
      this.#api.queue.refresh()
    } catch {
      // The server is unreachable. A later sweep deletes the images.
    }
  }
}

function pictureOf(api: PreviewApi, { session }: QueueItem): PreviewPicture {
  const last = session.executed_history.at(-1) ?? ''
  const result = session.results[session.source_prepared_mapping[last]?.[0] ?? '']
  const [image_name] = result ? imageNamesOf(result) : []
  if (image_name === undefined) throw new Error('It produced no image.')
  const url = api.client.images.fullUrl({ image_url: pathOf(getFullImage, { image_name }) })
  return { url, width: Number(result?.width), height: Number(result?.height) }
}
