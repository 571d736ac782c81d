import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { type ImageFilter, queryOfFilter } from '#contract/image-filter.ts'
import {
  type DismissedGroup,
  type DuplicateMatch,
  type DuplicatesPage,
  dismissDuplicates,
  listDuplicates,
  type ResolvedGroup,
  type ResolveResult,
  resolveDuplicates,
  type UnresolveResult,
  undismissDuplicates,
  unresolveDuplicates,
} from '#contract/likeness/duplicates.ts'

/** Which duplicates to list. */
export interface DuplicateView extends Omit<ImageFilter, 'isIntermediate'> {
  /** How much alike they are. Default: `picture`, which includes images with the same bytes. */
  readonly match?: DuplicateMatch | undefined
  /** Of `near`: in how many of 63 bits two pictures may differ, 0 to 11. Default: 7. */
  readonly distance?: number | undefined
  /** Only images of this board; `none` for uncategorized images. Default: all boards. */
  readonly boardId?: string | undefined
  /** Only images that this search finds. */
  readonly query?: string | undefined
}

/**
 * Requests about duplicates. They require the extension `duplicates`.
 *
 * @example
 * const { items, progress } = await client.duplicates.list({ match: 'picture' })
 * if (progress === null && items[0]) {
 *   const { keep, images } = items[0]
 *   const others = images.map(({ image_name }) => image_name).filter((name) => name !== keep)
 *   await client.duplicates.resolve([{ keep, image_names: others }])
 * }
 */
export class DuplicateOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Lists groups of duplicates, those with most bytes to gain first. The server compares all pictures in the background:
   * while `progress` is not null, call again. The comparison ends ten seconds after the last call.
   */
  list(
    view: DuplicateView = {},
    page: { offset?: number; limit?: number } = {},
    options: CallOptions = {},
  ): Promise<DuplicatesPage> {
    const { match, distance, boardId, query, ...filter } = view
    const asked = { ...queryOfFilter(filter), match, distance, query, board_id: boardId, ...page }
    return this.#http.call(listDuplicates, { query: asked, ...options })
  }

  /**
   * Keeps one image of each group, which gets the star, the highest rating and the tags of the others, and moves the others
   * to the trash. Give each group a `resolve_id` to be able to repeat the request after a lost answer, and to undo it.
   *
   * @throws {RefusedError} `invalid_duplicates`: a group has no other image, an image or an ID occurs twice, or an ID is not
   *   valid text. Nothing was changed.
   */
  resolve(groups: readonly ResolvedGroup[], options: CallOptions = {}): Promise<ResolveResult> {
    return this.#http.call(resolveDuplicates, { body: { groups: [...groups] }, ...options })
  }

  /**
   * Undoes {@link resolve}: restores the images, and takes their star, rating and tags from the kept ones. A rating that was
   * changed since stays. If an image of a group no longer exists, the kept one stays as it is. Unknown IDs are ignored.
   */
  unresolve(resolveIds: readonly string[], options: CallOptions = {}): Promise<UnresolveResult> {
    return this.#http.call(unresolveDuplicates, {
      body: { resolve_ids: [...resolveIds] },
      ...options,
    })
  }

  /**
   * Remembers that the images of each group are not duplicates of each other. A group is listed again if it gets another
   * image.
   *
   * @throws {RefusedError} `invalid_duplicates`: a group has less than two images. Nothing was changed.
   */
  async dismiss(groups: readonly DismissedGroup[], options: CallOptions = {}): Promise<void> {
    await this.#http.call(dismissDuplicates, { body: { groups: [...groups] }, ...options })
  }

  /** Undoes {@link dismiss} for the same groups. Groups that are not dismissed are ignored. */
  async undismiss(groups: readonly DismissedGroup[], options: CallOptions = {}): Promise<void> {
    await this.#http.call(undismissDuplicates, { body: { groups: [...groups] }, ...options })
  }
}
