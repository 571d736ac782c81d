import type { ImageOrder } from '#contract/image.ts'
import type { TrashOrder } from '#contract/trash-operations.ts'

/** Sort key of a board or of the trash. `deleted_at` only in the trash, which has no order by duration or properties. */
export type SortKey = ImageOrder | TrashOrder

export type OrderDir = 'ASC' | 'DESC'

/** Square tiles that crop their images or show them whole, or rows of tiles in the proportions of the images. */
export type TileLayout = 'fill' | 'fit' | 'rows'

/** Order and layout of the images. Each board remembers its own. */
export interface PlaceOrder {
  orderBy: SortKey
  orderDir: OrderDir
  starredFirst: boolean
  /** True groups images under day headings. It has an effect only in orders by date. */
  groupByDay: boolean
  layout: TileLayout
}

const DEFAULT_ORDER: PlaceOrder = {
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
  groupByDay: false,
  layout: 'fill',
}

/** Board parameter of the view of all boards. */
export const ALL_BOARDS = 'all'

/** Board parameter of the trash. Board ids are UUIDs, so no board has this id. */
export const TRASH = 'trash'

/** Board parameter of the duplicates. */
export const DUPLICATES = 'duplicates'

const SEARCH_PREFIX = 'search:'

/** Stands for a saved search where boards have their ID. */
export const searchKeyOf = (searchId: string): string => `${SEARCH_PREFIX}${searchId}`

/** Returns the order of a board for which nothing was chosen. All boards together are a timeline, and so are searches. */
export function defaultOrderOf(board: string): PlaceOrder {
  if (board === TRASH) return { ...DEFAULT_ORDER, orderBy: 'deleted_at' }
  const isTimeline = board === ALL_BOARDS || board.startsWith(SEARCH_PREFIX)
  return isTimeline ? { ...DEFAULT_ORDER, orderBy: 'taken_at' } : DEFAULT_ORDER
}

const ORDER_KEYS = Object.keys(DEFAULT_ORDER) as (keyof PlaceOrder)[]

export const isOrderKey = (key: string): boolean => key in DEFAULT_ORDER

export const areSameOrders = (one: PlaceOrder, other: PlaceOrder): boolean =>
  ORDER_KEYS.every((key) => one[key] === other[key])

/** URL values of each order, and its default direction. */
const ORDER_PARAMS = {
  deleted_at: { sort: 'deleted', ASC: 'oldest', DESC: 'newest', first: 'DESC' },
  created_at: { sort: 'added', ASC: 'oldest', DESC: 'newest', first: 'DESC' },
  taken_at: { sort: 'taken', ASC: 'oldest', DESC: 'newest', first: 'DESC' },
  name: { sort: 'name', ASC: 'a-z', DESC: 'z-a', first: 'ASC' },
  size: { sort: 'size', ASC: 'smallest', DESC: 'largest', first: 'DESC' },
  duration: { sort: 'length', ASC: 'shortest', DESC: 'longest', first: 'DESC' },
  width: { sort: 'width', ASC: 'smallest', DESC: 'largest', first: 'DESC' },
  height: { sort: 'height', ASC: 'smallest', DESC: 'largest', first: 'DESC' },
  steps: { sort: 'steps', ASC: 'fewest', DESC: 'most', first: 'DESC' },
  cfg: { sort: 'cfg', ASC: 'lowest', DESC: 'highest', first: 'DESC' },
  rating: { sort: 'rating', ASC: 'lowest', DESC: 'highest', first: 'DESC' },
  relevance: { sort: 'match', ASC: 'worst', DESC: 'best', first: 'DESC' },
} as const satisfies Record<SortKey, object>

/** Orders that only servers with conditions have. */
const PROPERTY_ORDERS: readonly SortKey[] = [
  ...(['width', 'height', 'steps', 'cfg', 'rating', 'relevance'] as const),
]

export const isPropertyOrder = (orderBy: SortKey): boolean => PROPERTY_ORDERS.includes(orderBy)

const BOARD_ORDERS: readonly SortKey[] = [
  ...(['created_at', 'taken_at', 'name', 'size', 'duration'] as const),
  ...PROPERTY_ORDERS,
]

/** Returns the orders that a board supports. */
export const ordersOf = (board: string): readonly SortKey[] =>
  board === TRASH ? ['deleted_at', 'created_at', 'name', 'size'] : BOARD_ORDERS

export const LAYOUTS: readonly TileLayout[] = ['fill', 'fit', 'rows']

/** Returns the default direction of an order: newest, A, largest or longest first. */
export const defaultDirOf = (orderBy: SortKey): OrderDir => ORDER_PARAMS[orderBy].first

export const isByDate = (orderBy: SortKey): boolean =>
  orderBy === 'created_at' || orderBy === 'taken_at'

/** Parses the order of a board from URL parameters. Missing and invalid values get the default. */
export function parseOrder(params: URLSearchParams, board: string): PlaceOrder {
  const fallback = defaultOrderOf(board)
  const sort = params.get('sort')
  const orderBy = ordersOf(board).find((one) => ORDER_PARAMS[one].sort === sort) ?? fallback.orderBy
  const first = defaultDirOf(orderBy)
  const other = first === 'ASC' ? 'DESC' : 'ASC'
  return {
    orderBy,
    orderDir: params.get('order') === ORDER_PARAMS[orderBy][other] ? other : first,
    starredFirst: params.get('starred') === 'first',
    groupByDay: params.get('group') === 'day',
    layout: LAYOUTS.find((one) => one === params.get('tiles')) ?? fallback.layout,
  }
}

export const hasOrder = (params: URLSearchParams): boolean =>
  ['sort', 'order', 'starred', 'group', 'tiles'].some((name) => params.has(name))

/** Adds the order of a board to URL parameters, omitting default values. */
export function writeOrder(params: URLSearchParams, order: PlaceOrder, board: string): void {
  const fallback = defaultOrderOf(board)
  const { orderBy, orderDir, starredFirst, groupByDay, layout } = order
  if (orderBy !== fallback.orderBy) params.set('sort', ORDER_PARAMS[orderBy].sort)
  if (orderDir !== defaultDirOf(orderBy)) params.set('order', ORDER_PARAMS[orderBy][orderDir])
  if (starredFirst) params.set('starred', 'first')
  if (groupByDay) params.set('group', 'day')
  if (layout !== fallback.layout) params.set('tiles', layout)
}
