import type { GalleryItem, GalleryItemNames } from '#contract/gallery-operations.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { ImageRecords, JsonText, View } from './image-ports.ts'

/** `GalleryItemNames` with the list as JSON text. */
interface NamesOfGallery extends Omit<GalleryItemNames, 'item_names'> {
  item_names: JsonText
}

/** Serves InvokeAI's gallery routes: views of images under field names that also fit videos. */
export class GalleryService {
  readonly #images: Pick<ImageRecords, 'days' | 'names' | 'page'>

  constructor(images: Pick<ImageRecords, 'days' | 'names' | 'page'>) {
    this.#images = images
  }

  /** @param day - `YYYY-MM-DD`: only images created on this day, UTC. */
  async itemNames(view: View, day?: string): Promise<NamesOfGallery> {
    if (day === undefined) {
      const { image_names, ...counts } = await this.#images.names(view)
      return { item_names: image_names, ...counts }
    }
    const items = await this.#arrivedOn(view, day)
    return {
      item_names: textOf(items.map(({ image_name }) => image_name)),
      starred_count: view.starredFirst ? items.filter(({ starred }) => starred).length : 0,
      total_count: items.length,
    }
  }

  /** @param day - `YYYY-MM-DD`: only images created on this day, UTC. */
  async items(
    view: View,
    { offset, limit }: { offset: number; limit: number },
    day?: string,
  ): Promise<{ items: GalleryItem[]; total: number }> {
    if (day !== undefined) {
      const items = await this.#arrivedOn(view, day)
      return { items: items.slice(offset, offset + limit).map(itemOf), total: items.length }
    }
    const page = await this.#images.page(view, { offset, limit })
    return { items: (page?.items ?? []).map(itemOf), total: page?.total ?? 0 }
  }

  /** Returns the images of a view that were created on a day. In order of creation they are one contiguous page. */
  async #arrivedOn(view: View, wanted: string): Promise<ImageRecord[]> {
    const byArrival = { ...view, orderBy: 'created_at' as const, starredFirst: false }
    const { days } = await this.#images.days(byArrival, 'UTC')
    const index = days.findIndex(({ day }) => day === wanted)
    const limit = days[index]?.count
    if (limit === undefined) return []
    const offset = days.slice(0, index).reduce((sum, { count }) => sum + count, 0)
    const items = (await this.#images.page(byArrival, { offset, limit }))?.items ?? []
    const isFirst = ({ starred }: ImageRecord) => view.starredFirst && starred
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

const itemOf = (image: ImageRecord): GalleryItem => ({
  kind: 'image',
  name: image.image_name,
  full_url: image.image_url,
  thumbnail_url: image.thumbnail_url,
  width: image.width,
  height: image.height,
  category: image.image_category,
  starred: image.starred,
  is_intermediate: image.is_intermediate,
  board_id: image.board_id,
  created_at: image.created_at,
  duration: null,
  fps: null,
})
