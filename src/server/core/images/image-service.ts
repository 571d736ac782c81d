import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import type { ImageChanges, ItemKind } from '#contract/image.ts'
import type { ImageInsights } from '#contract/search/insights.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import { assertTimeZone } from '#server/core/time-zone.ts'
import {
  assertNamesFit,
  type DatedView,
  type FacetOptions,
  type ImageRecords,
  type InsightOptions,
  type JsonText,
  type PageWindow,
  type View,
} from './image-ports.ts'

/**
 * Reads and changes images, with the rules of InvokeAI's API. Names of videos are unknown, as in InvokeAI, unless the
 * kind `all` or `video` asks for them.
 *
 * An image in the trash can be read by name and has `deleted_at`. No view contains it, and the only change it accepts
 * is permanent deletion.
 */
export class ImageService {
  readonly #images: ImageRecords
  readonly #removal: FileRemoval

  constructor(records: { images: ImageRecords }, removal: FileRemoval) {
    this.#images = records.images
    this.#removal = removal
  }

  /** @throws {Refusal} `image_not_found`. */
  async get(imageName: string, kind?: ItemKind) {
    assertKind(imageName, kind)
    return found(await this.#images.get(imageName))
  }

  /** @throws {Refusal} `too_many_names`. */
  async listByNames(imageNames: readonly string[], kind?: ItemKind) {
    assertNamesFit(imageNames)
    return this.#images.listByNames(namesOfKind(imageNames, kind))
  }

  /** @throws {Refusal} `image_not_found`: the image named by `after` does not exist. */
  async page(view: View, window: PageWindow) {
    return found(await this.#images.page(view, window))
  }

  /**
   * Counts the images of each day of a view, in the order of the view.
   *
   * @throws {Refusal} `unknown_time_zone`.
   */
  async days(view: DatedView, timeZone: string) {
    assertTimeZone(timeZone)
    return this.#images.days(view, timeZone)
  }

  /**
   * Counts the values of properties in a view.
   *
   * @throws {Refusal} `unknown_time_zone`.
   */
  async facets(view: View, options: FacetOptions) {
    assertTimeZone(options.timeZone)
    return this.#images.facets(view, options)
  }

  async insights(view: View, options: InsightOptions): Promise<ImageInsights> {
    const { storage, ...others } = await this.#images.insights(view, options)
    if (storage === undefined) return others
    const boards = storage.boards.map((board) =>
      board.board_id === UNCATEGORIZED_BOARD_ID
        ? { ...board, board_name: UNCATEGORIZED_BOARD_NAME }
        : board,
    )
    return { storage: { ...storage, boards }, ...others }
  }

  /**
   * Sums the ratios of a view. A time zone divides a view that is ordered by date into days.
   *
   * @throws {Refusal} `unknown_time_zone`.
   */
  async ratios(view: View, timeZone: string | undefined) {
    if (timeZone === undefined) return this.#images.ratios(view, null)
    assertTimeZone(timeZone)
    const hasDays = view.orderBy === 'created_at' || view.orderBy === 'taken_at'
    return this.#images.ratios(view, hasDays ? timeZone : null)
  }

  /**
   * Returns the position null for an image outside the view.
   *
   * @throws {Refusal} `image_not_found`.
   */
  async position(view: View, imageName: string) {
    return found(await this.#images.position(view, imageName))
  }

  /**
   * Returns metadata as JSON text, so that embedded metadata is sent unchanged. Returns null if there is none; with
   * `wire`, an image with only a workflow or graph has none, as in InvokeAI.
   *
   * @param form - `wire`: InvokeAI's object unchanged, otherwise the normal form of other metadata; `normal`: always
   *   the normal form.
   * @throws {Refusal} `image_not_found`.
   */
  async metadataJson(
    imageName: string,
    form: 'wire' | 'normal' = 'wire',
    kind?: ItemKind,
  ): Promise<JsonText | null> {
    assertKind(imageName, kind)
    if (form === 'normal') return found(await this.#images.embeddedJson(imageName, 'normal'))
    const { hasInvokeai, rawNames } = found(await this.#images.embeddedTexts(imageName))
    if (!hasInvokeai && isGraphAlone(rawNames)) return null
    return found(await this.#images.embeddedJson(imageName, hasInvokeai ? 'invokeai' : 'normal'))
  }

  /**
   * Returns `ImageWorkflow` as JSON.
   *
   * @throws {Refusal} `image_not_found`.
   */
  async workflowJson(imageName: string, kind?: ItemKind): Promise<JsonText> {
    assertKind(imageName, kind)
    return found(await this.#images.embeddedJson(imageName, 'workflow'))
  }

  /** @throws {Refusal} `image_update_failed`: the image does not exist. */
  async update(imageName: string, changes: ImageChanges, kind?: ItemKind) {
    const updated = isOfKind(imageName, kind) ? await this.#images.update(imageName, changes) : null
    return orRefuse(updated, 'image_update_failed')
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped. */
  async star(imageNames: readonly string[], kind?: ItemKind) {
    assertNamesFit(imageNames)
    const names = namesOfKind(imageNames, kind)
    const { affected_boards, image_names } = await this.#images.setStarred(names, true)
    return { affected_boards, starred_images: image_names, failed_images: [] }
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped. */
  async unstar(imageNames: readonly string[], kind?: ItemKind) {
    assertNamesFit(imageNames)
    const names = namesOfKind(imageNames, kind)
    const { affected_boards, image_names } = await this.#images.setStarred(names, false)
    return { affected_boards, unstarred_images: image_names, failed_images: [] }
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped, and the names of videos are not. */
  async rate(imageNames: readonly string[], rating: number) {
    assertNamesFit(imageNames)
    return this.#images.setRating(imageNames, rating)
  }

  /** @throws {Refusal} `board_not_found`, also for `none`; `too_many_names`. Unknown names are skipped. */
  async addToBoard(imageNames: readonly string[], boardId: string, kind?: ItemKind) {
    assertNamesFit(imageNames)
    const names = namesOfKind(imageNames, kind)
    return orRefuse(await this.#images.addToBoard(names, boardId), 'board_not_found')
  }

  /** @throws {Refusal} `board_not_found`; `image_not_found`, for which InvokeAI answers 500. */
  async addOneToBoard(imageName: string, boardId: string) {
    const added = await this.addToBoard([imageName], boardId)
    if (added.added_images.length === 0) throw new Refusal('image_not_found')
    return added
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped. */
  async removeFromBoard(imageNames: readonly string[], kind?: ItemKind) {
    assertNamesFit(imageNames)
    return this.#images.removeFromBoard(namesOfKind(imageNames, kind))
  }

  /** @throws {Refusal} `image_not_found`, for which InvokeAI answers 500. */
  async removeOneFromBoard(imageName: string) {
    const removed = await this.removeFromBoard([imageName])
    if (removed.removed_images.length === 0) throw new Refusal('image_not_found')
    return removed
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped, as in InvokeAI 6.14.2. */
  async delete(imageNames: readonly string[], kind?: ItemKind) {
    assertNamesFit(imageNames)
    return this.#unlinked(await this.#images.remove(namesOfKind(imageNames, kind)))
  }

  /** @throws {Refusal} `image_not_found`, as in InvokeAI since 6.14.2. */
  async deleteOne(imageName: string) {
    const result = await this.delete([imageName])
    if (result.deleted_images.length > 0) return result
    throw new Refusal('image_not_found', 'Image not found')
  }

  /** Permanently deletes all uncategorized images, including intermediate ones. */
  async deleteUncategorized() {
    return this.#unlinked(await this.#images.removeUncategorized())
  }

  async deleteIntermediates() {
    return this.#unlinked(await this.#images.removeIntermediates())
  }

  #unlinked<T>(result: T): T {
    this.#removal.request()
    return result
  }
}

/** Names that InvokeAI and Tessera's engine embed in every image they save, even without other metadata. */
const GRAPH_TEXTS = ['invokeai_graph', 'invokeai_workflow']

const isGraphAlone = (rawNames: readonly string[]): boolean =>
  rawNames.length > 0 && rawNames.every((name) => GRAPH_TEXTS.includes(name))

const isOfKind = (name: string, kind: ItemKind = 'image'): boolean =>
  kind === 'all' || isVideoName(name) === (kind === 'video')

const namesOfKind = (names: readonly string[], kind?: ItemKind): string[] =>
  names.filter((name) => isOfKind(name, kind))

/** @throws {Refusal} `image_not_found`. */
const assertKind = (name: string, kind?: ItemKind): void => {
  if (!isOfKind(name, kind)) throw new Refusal('image_not_found')
}

const found = <T>(image: T | null): T => orRefuse(image, 'image_not_found')
