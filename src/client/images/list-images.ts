import type { BoardOperations } from '#client/boards/board-operations.ts'
import type { ServerOperations } from '#client/server-operations.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { listBoardImageNames } from '#contract/board-operations.ts'
import { ImageOrder, type ImageRecord } from '#contract/image.ts'
import { DEFAULT_LIST_LIMIT } from '#contract/limits.ts'
import type { ImageOperations } from './image-operations.ts'

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

type Order = Omit<ListImagesOptions, keyof CallOptions>
type Listing = Required<{ [Key in keyof Order]: NonNullable<Order[Key]> }>

export interface ListingParts {
  readonly http: Http
  readonly server: ServerOperations
  readonly boards: BoardOperations
  readonly images: ImageOperations
}

/** @throws {RangeError} `orderBy` or `orderDir` is invalid. */
const withDefaults = (options: ListImagesOptions): Listing => {
  const { orderBy = 'created_at', orderDir = 'DESC' } = options
  if (!ImageOrder.enum.includes(orderBy)) {
    throw new RangeError(`orderBy is one of ${ImageOrder.enum.join(', ')}, not '${orderBy}'`)
  }
  if (orderDir !== 'ASC' && orderDir !== 'DESC') {
    throw new RangeError(`orderDir is 'ASC' or 'DESC', not '${orderDir}'`)
  }
  return {
    offset: options.offset ?? 0,
    limit: options.limit ?? DEFAULT_LIST_LIMIT,
    orderBy,
    orderDir,
    starredFirst: options.starredFirst ?? false,
    searchTerm: options.searchTerm ?? '',
  }
}

/** Lists the names of the images on a board, including intermediates. */
export const listImageNames = async (
  parts: ListingParts,
  boardId: string,
  options: ListImagesOptions,
): Promise<string[]> => {
  const listing = withDefaults(options)
  const { signal, priority, timeoutMs } = options
  const call = { signal, priority, timeoutMs }
  if (boardId !== UNCATEGORIZED_BOARD_ID) return listNamedBoard(parts, boardId, listing, call)
  const isOrdered = await parts.server.has('ordered_image_names')
  return isOrdered ? listOnServer(parts, listing, call) : listInClient(parts, listing, call)
}

/** Tessera sorts and slices the names on the server. */
const listOnServer = (
  { http }: ListingParts,
  listing: Listing,
  call: CallOptions,
): Promise<string[]> =>
  http.call(listBoardImageNames, {
    params: { board_id: UNCATEGORIZED_BOARD_ID },
    query: {
      offset: listing.offset,
      limit: listing.limit,
      order_by: listing.orderBy,
      order_dir: listing.orderDir,
      starred_first: listing.starredFirst,
      search_term: listing.searchTerm === '' ? undefined : listing.searchTerm,
    },
    ...call,
  })

const viewOf = (boardId: string, listing: Listing) => ({
  boardId,
  // InvokeAI has no parameter for its only order.
  orderBy: listing.orderBy === 'created_at' ? undefined : listing.orderBy,
  orderDir: listing.orderDir,
  starredFirst: listing.starredFirst,
  searchTerm: listing.searchTerm === '' ? undefined : listing.searchTerm,
})

const listNamedBoard = async (
  { images }: ListingParts,
  boardId: string,
  listing: Listing,
  call: CallOptions,
): Promise<string[]> => {
  const { offset, limit } = listing
  const page = await images.page(viewOf(boardId, listing), { offset, limit }, call)
  return page.items.map((image) => image.image_name)
}

/**
 * Sorts and slices the names in the client, because InvokeAI returns the names of uncategorized images
 * unsorted. A search needs the server, because records lack the metadata text.
 */
const listInClient = async (
  parts: ListingParts,
  listing: Listing,
  call: CallOptions,
): Promise<string[]> => {
  const { boards, images } = parts
  const names = await boards.imageNames(UNCATEGORIZED_BOARD_ID, call)
  const records =
    listing.searchTerm === ''
      ? await images.getMany(names, call)
      : await matching(images, new Set(names), listing, call)
  const end = listing.limit < 0 ? undefined : listing.offset + listing.limit
  return records
    .sort(byListing(listing))
    .slice(listing.offset, end)
    .map((image) => image.image_name)
}

const matching = async (
  images: ImageOperations,
  names: ReadonlySet<string>,
  listing: Listing,
  call: CallOptions,
): Promise<ImageRecord[]> => {
  const view = viewOf(UNCATEGORIZED_BOARD_ID, listing)
  const page = await images.page(view, { offset: 0, limit: -1 }, call)
  return page.items.filter((image) => names.has(image.image_name))
}

/** Compares by star if requested, then by time. The name breaks ties. */
const byListing =
  ({ orderDir, starredFirst }: Listing) =>
  (a: ImageRecord, b: ImageRecord): number => {
    if (starredFirst && a.starred !== b.starred) return a.starred ? -1 : 1
    const keyOf = (image: ImageRecord) => `${image.created_at} ${image.image_name}`
    const isLater = keyOf(a) > keyOf(b)
    return isLater === (orderDir === 'ASC') ? 1 : -1
  }
