import type { QueueItem } from '#client/index.ts'
import { getFullImage } from '#contract/image-operations.ts'
import { pathOf } from '#contract/operation.ts'
import { isFinal } from '#contract/queue.ts'
import { gallery } from './connection.ts'
import { dropLeftover, keepLeftover, type Leftover } from './kept-leftovers.ts'
import { imageNamesIn, imageNamesOf } from './made-images.ts'
import { batchOf, type ProcessedImage } from './process-graph.ts'
import type { SizePx, Step } from './process-steps.ts'
import { QueueFullError } from './process-work.ts'
import { refreshQueue } from './queue-cache.ts'
import { faultOf } from './queue-entry.ts'

/** How often a preview that is being made is asked for, in milliseconds. The server exempts it from its limits. */
const ASK_MS = 200

/** Longer than anybody looks at a preview. What a page that was closed had made is deleted after it, in milliseconds. */
const LOOKED_AT_MS = 3_600_000

/** What an item is put in as that is made for looks. */
const PREVIEW = { origin: 'tessera', destination: 'Preview' }

/** Whether an item is made for looks: whoever looks is told there what becomes of it. */
export const isPreview = (item: { origin: string | null; destination: string | null }): boolean =>
  item.origin === PREVIEW.origin && item.destination === PREVIEW.destination

/** What a chain makes of one image. */
export interface PreviewPicture extends SizePx {
  readonly url: string
}

interface PreviewOptions {
  readonly signal: AbortSignal
  /** It has left the queue and is being made. */
  readonly onStarted: () => void
}

/** Puts one image at a time through a chain by the real nodes, before all that waits, and keeps nothing of it. */
export class PreviewMaker {
  readonly #made: string[] = []
  /** The batches of which it is noted that what they made is to be deleted. */
  readonly #kept = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  /**
   * @returns null: it was aborted.
   * @throws {RefusedError | ConnectionError} The queue did not take it.
   * @throws {Error} A step failed, with its words.
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

  /** Deletes what was made for looks. */
  async discard(): Promise<void> {
    try {
      await this.#turn
      if (this.#made.length > 0) await gallery.images.delete(this.#made.splice(0))
      for (const batchId of this.#kept) dropLeftover(batchId)
      this.#kept.clear()
    } catch {
      // They are shown nowhere, and noted to be deleted later.
    }
  }

  async #run(
    steps: readonly Step[],
    image: ProcessedImage,
    { signal, onStarted }: PreviewOptions,
  ): Promise<PreviewPicture | null> {
    if (signal.aborted) return null
    const batch = { ...batchOf(steps, [image], 'preview'), ...PREVIEW }
    // It counts as a batch operation, as all that is enqueued does (spec 8): a few are left for real work.
    const taken = await gallery.queue.enqueue(batch, { prepend: true, lane: 'trial' })
    const [itemId] = taken.item_ids
    if (itemId === undefined) throw new QueueFullError()
    const batchId = taken.batch.batch_id ?? ''
    this.#keep({ batchId, itemIds: [itemId], imageNames: [] })
    try {
      while (!signal.aborted) {
        const item = await gallery.queue.item(itemId)
        if (item === null) throw new Error('It was removed from the queue.')
        if (item.status === 'in_progress') onStarted()
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
    keepLeftover({ ...made, notBefore: Date.now() + LOOKED_AT_MS })
  }

  /** Stops an item if it still runs, remembers what it made, and takes it out of the lists. */
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

/** What the node that ended last has made. */
function pictureOf({ session }: QueueItem): PreviewPicture {
  const last = session.executed_history.at(-1) ?? ''
  const result = session.results[session.source_prepared_mapping[last]?.[0] ?? '']
  const [image_name] = result ? imageNamesOf(result) : []
  if (image_name === undefined) throw new Error('It produced no image.')
  const url = gallery.images.fullUrl({ image_url: pathOf(getFullImage, { image_name }) })
  return { url, width: Number(result?.width), height: Number(result?.height) }
}
