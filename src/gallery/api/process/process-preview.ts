import type { QueueItem } from '#client/index.ts'
import { getFullImage } from '#contract/image-operations.ts'
import { pathOf } from '#contract/operation.ts'
import { isFinal } from '#contract/queue/queue.ts'
import { gallery } from '#gallery/api/connection/connection.ts'
import { type Leftover, removeLeftover, saveLeftover } from '#gallery/api/queue/leftovers.ts'
import { imageNamesIn, imageNamesOf } from '#gallery/api/queue/made-images.ts'
import { refreshQueue } from '#gallery/api/queue/queue-cache.ts'
import { faultOf } from '#gallery/api/queue/queue-entry.ts'
import { batchOf, type ProcessedImage } from './process-graph.ts'
import type { SizePx, Step } from './process-steps.ts'
import { QueueFullError } from './process-work.ts'

/** How often an item is polled, in milliseconds. The server exempts this from its limits. */
const ASK_MS = 200

/** After this time nobody looks at a preview any more: the images of a closed page are deleted. In milliseconds. */
const LOOKED_AT_MS = 3_600_000

/** Marks the items of previews. */
const PREVIEW = { origin: 'tessera', destination: 'Preview' }

/** Tells if a queue item was made for a preview. Only the Process dialog shows such items. */
export const isPreview = (item: { origin: string | null; destination: string | null }): boolean =>
  item.origin === PREVIEW.origin && item.destination === PREVIEW.destination

/** A temporary image on the server. */
export interface PreviewPicture extends SizePx {
  readonly url: string
}

interface PreviewOptions {
  readonly signal: AbortSignal
  /** The item is in the queue, or it runs. */
  readonly onState: (state: 'queued' | 'running') => void
}

/** When the next preview may be sent, in milliseconds since 1970. The last places are left for user actions. */
export const previewFreeAt = (): number =>
  gallery.pacer.freeAt({ limits: ['default', 'batch'], priority: 'preview' })

/** Runs steps on the server for a preview, one image at a time and before all other items. Only models need this. */
export class PreviewMaker {
  /** Images to delete when the dialog closes. */
  readonly #made: string[] = []
  /** The batches whose images are noted for deletion. */
  readonly #kept = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  /**
   * @returns null if it was aborted.
   * @throws {RefusedError | ConnectionError} The queue did not accept it.
   * @throws {Error} A step failed. The message says why.
   */
  async make(
    steps: readonly Step[],
    image: ProcessedImage,
    options: PreviewOptions,
  ): Promise<PreviewPicture | null> {
    // One after the other: of many changes in a row only the last is worth a request.
    const turn = this.#turn.then(() => this.#run(steps, image, options))
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Deletes the images of all previews. */
  async discard(): Promise<void> {
    try {
      await this.#turn
      if (this.#made.length > 0) await gallery.images.delete(this.#made.splice(0))
      for (const batchId of this.#kept) removeLeftover(batchId)
      this.#kept.clear()
    } catch {
      // No view shows them, and they are noted for deletion.
    }
  }

  async #run(
    steps: readonly Step[],
    image: ProcessedImage,
    { signal, onState }: PreviewOptions,
  ): Promise<PreviewPicture | null> {
    if (signal.aborted) return null
    const batch = { ...batchOf(steps, [image], 'preview'), ...PREVIEW }
    // It counts as a batch operation (spec 8): a few are left for user actions.
    const taken = await gallery.queue.enqueue(batch, { prepend: true, priority: 'preview' })
    const [itemId] = taken.item_ids
    if (itemId === undefined) throw new QueueFullError()
    const batchId = taken.batch.batch_id ?? ''
    this.#keep({ batchId, itemIds: [itemId], imageNames: [] })
    onState('queued')
    try {
      while (!signal.aborted) {
        const item = await gallery.queue.item(itemId)
        if (item === null) throw new Error('It was removed from the queue.')
        if (item.status === 'in_progress') onState('running')
        if (item.status === 'failed') throw new Error(faultOf(item) ?? 'It failed.')
        if (item.status === 'canceled') throw new Error('It was canceled.')
        if (isFinal(item.status)) return pictureOf(item)
        await new Promise((resolve) => setTimeout(resolve, ASK_MS))
      }
      return null
    } finally {
      await this.#forget(itemId, batchId)
    }
  }

  #keep(made: Omit<Leftover, 'notBefore'>): void {
    this.#kept.add(made.batchId)
    saveLeftover({ ...made, notBefore: Date.now() + LOOKED_AT_MS })
  }

  /** Cancels an item if it still runs, remembers its images, and removes it from the queue. */
  async #forget(itemId: number, batchId: string): Promise<void> {
    try {
      const item = await gallery.queue.cancel(itemId)
      const imageNames = item === null ? [] : imageNamesIn([item], true)
      this.#made.push(...imageNames)
      this.#keep({ batchId, itemIds: [], imageNames })
      await gallery.queue.delete(itemId)
      refreshQueue()
    } catch {
      // The server is gone; the item ends by itself.
    }
  }
}

/** The image of the last node that ran. */
function pictureOf({ session }: QueueItem): PreviewPicture {
  const last = session.executed_history.at(-1) ?? ''
  const result = session.results[session.source_prepared_mapping[last]?.[0] ?? '']
  const [image_name] = result ? imageNamesOf(result) : []
  if (image_name === undefined) throw new Error('It produced no image.')
  const url = gallery.images.fullUrl({ image_url: pathOf(getFullImage, { image_name }) })
  return { url, width: Number(result?.width), height: Number(result?.height) }
}
