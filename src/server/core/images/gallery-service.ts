import type { GalleryItem, GalleryItemNames } from '#contract/gallery-operations.ts'
import type { Records } from '#server/core/record-ports.ts'
import type { DatedView, GalleryRecords, ImageRecords, JsonText, View } from './image-ports.ts'

/** `GalleryItemNames` with the list as JSON text. */
interface NamesOfGallery extends Omit<GalleryItemNames, 'item_names'> {
  item_names: JsonText
}

/** Serves InvokeAI's gallery routes: views of images and videos together. */
export class GalleryService {
  readonly #images: Pick<ImageRecords, 'days' | 'names'>
  readonly #gallery: GalleryRecords

  constructor({ images, gallery }: Pick<Records, 'images' | 'gallery'>) {
    this.#images = images
    this.#gallery = gallery
  }

  /** @param day - `YYYY-MM-DD`: only items created on this day, UTC. */
  async itemNames(view: View, day?: string): Promise<NamesOfGallery> {
    if (day === undefined) {
      const { image_names, ...counts } = await this.#images.names({ ...view, kind: 'all' })
      return { item_names: image_names, ...counts }
    }
    const items = await this.#arrivedOn(view, day)
    return {
      item_names: textOf(items.map(({ name }) => name)),
      starred_count: view.starredFirst ? items.filter(({ starred }) => starred).length : 0,
      total_count: items.length,
    }
  }

  /** @param day - `YYYY-MM-DD`: only items created on this day, UTC. */
  async items(
    view: View,
    { offset, limit }: { offset: number; limit: number },
    day?: string,
  ): Promise<{ items: GalleryItem[]; total: number }> {
    if (day !== undefined) {
      const items = await this.#arrivedOn(view, day)
      return { items: items.slice(offset, offset + limit), total: items.length }
    }
    return this.#gallery.page({ ...view, kind: 'all' }, { offset, limit })
  }

  /** Returns the items of a view that were created on a day. In order of creation they are one contiguous page. */
  async #arrivedOn(view: View, wanted: string): Promise<GalleryItem[]> {
    const byArrival: DatedView = {
      ...view,
      kind: 'all',
      orderBy: 'created_at',
      starredFirst: false,
    }
    const { days } = await this.#images.days(byArrival, 'UTC')
    const index = days.findIndex(({ day }) => day === wanted)
    const limit = days[index]?.count
    if (limit === undefined) return []
    const offset = days.slice(0, index).reduce((sum, { count }) => sum + count, 0)
    const { items } = await this.#gallery.page(byArrival, { offset, limit })
    const isFirst = ({ starred }: GalleryItem) => view.starredFirst && starred
    return items.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
  }
}

const textOf = (names: readonly string[]): JsonText => {
  const json = Buffer.from(JSON.stringify(names))
  const pieces = (async function* () {
    yield json
  })()
  return { bytes: json.length, pieces }
}
