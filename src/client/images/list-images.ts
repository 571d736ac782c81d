import type { BoardOperations } from '#client/boards/board-operations.ts'
import type { ServerOperations } from '#client/server-operations.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { listBoardImageNames } from '#contract/board-operations.ts'
import { ImageOrder, type ImageRecord } from '#contract/image.ts'
import { DEFAULT_LIST_LIMIT } from '#contract/limits.ts'
import type { ImageOperations } from './image-operations.ts'
import { type ImageView, queryOfView } from './image-view.ts'

/** Options of `listImages`. */
export interface ListImagesOptions extends CallOptions {
  /** Number of names to skip. The default is 0. */
  readonly offset?: number | undefined
  /** Maximum number of names; -1 means all. The default is 100. */
  readonly limit?: number | undefined
  /** The default is `created_at`. A server without the extension `image_orders` ignores other values. */
  readonly orderBy?: ImageOrder | undefined
  /** The default is `DESC`, newest first. */
  readonly orderDir?: 'ASC' | 'DESC' | undefined
  /** The default is false. */
  readonly starredFirst?: boolean | undefined
  /** Substring of the metadata text or of `created_at`. The default is null: no filter. */
  readonly searchTerm?: string | null | undefined
}

export interface ListingParts {
  readonly http: Http
  readonly server: ServerOperations
  readonly boards: BoardOperations
  readonly images: ImageOperations
}

/** The view, window and transport of a listing. */
interface Listing {
  readonly view: ImageView
  readonly window: { readonly offset: number; readonly limit: number }
  readonly call: CallOptions
}

/** @throws {RangeError} `orderBy` or `orderDir` is invalid. */
const listingOf = (boardId: string, options: ListImagesOptions): Listing => {
  const { orderBy = 'created_at', orderDir = 'DESC', signal, priority, timeoutMs } = options
  if (!ImageOrder.enum.includes(orderBy)) {
    throw new RangeError(`orderBy is one of ${ImageOrder.enum.join(', ')}, not '${orderBy}'`)
  }
  if (orderDir !== 'ASC' && orderDir !== 'DESC') {
    throw new RangeError(`orderDir is 'ASC' or 'DESC', not '${orderDir}'`)
  }
  return {
    view: {
      boardId,
      orderBy,
      orderDir,
      starredFirst: options.starredFirst ?? false,
      searchTerm: options.searchTerm || undefined,
    },
    window: { offset: options.offset ?? 0, limit: options.limit ?? DEFAULT_LIST_LIMIT },
    call: { signal, priority, timeoutMs },
  }
}

/** InvokeAI has no parameter for its only order. */
const withoutDefaultOrder = (view: ImageView): ImageView =>
  view.orderBy === 'created_at' ? { ...view, orderBy: undefined } : view

const namesOf = (images: readonly ImageRecord[]) => images.map((image) => image.image_name)

/** Lists the names of the images on a board, including intermediates. */
export const listImageNames = async (
  parts: ListingParts,
  boardId: string,
  options: ListImagesOptions,
): Promise<string[]> => {
  const listing = listingOf(boardId, options)
  const { view, window, call } = listing
  if (boardId !== UNCATEGORIZED_BOARD_ID) {
    return namesOf((await parts.images.page(withoutDefaultOrder(view), window, call)).items)
  }
  if (!(await parts.server.has('ordered_image_names'))) return listInClient(parts, listing)
  const { board_id, ...order } = queryOfView(view)
  const input = { params: { board_id: boardId }, query: { ...window, ...order }, ...call }
  return parts.http.call(listBoardImageNames, input)
}

/**
 * Sorts and slices the names in the client, because InvokeAI returns the names of uncategorized images
 * unsorted. A search needs the server, because records lack the metadata text.
 */
const listInClient = async (
  { boards, images }: ListingParts,
  { view, window: { offset, limit }, call }: Listing,
): Promise<string[]> => {
  const names = await boards.imageNames(UNCATEGORIZED_BOARD_ID, call)
  const records =
    view.searchTerm === undefined
      ? await images.getMany(names, call)
      : await matching(images, new Set(names), view, call)
  const end = limit < 0 ? undefined : offset + limit
  return namesOf(records.sort(byView(view)).slice(offset, end))
}

const matching = async (
  images: ImageOperations,
  names: ReadonlySet<string>,
  view: ImageView,
  call: CallOptions,
): Promise<ImageRecord[]> => {
  const page = await images.page(withoutDefaultOrder(view), { offset: 0, limit: -1 }, call)
  return page.items.filter((image) => names.has(image.image_name))
}

/** Compares by star if requested, then by time. The name breaks ties. */
const byView =
  ({ orderDir, starredFirst }: ImageView) =>
  (a: ImageRecord, b: ImageRecord): number => {
    if (starredFirst && a.starred !== b.starred) return a.starred ? -1 : 1
    const keyOf = (image: ImageRecord) => `${image.created_at} ${image.image_name}`
    const isLater = keyOf(a) > keyOf(b)
    return isLater === (orderDir === 'ASC') ? 1 : -1
  }
