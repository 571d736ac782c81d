import type { ImageOrder } from '#contract/image.ts'

export type OrderDir = 'ASC' | 'DESC'

/** How the images of a place are ordered. */
export interface PlaceOrder {
  orderBy: ImageOrder
  orderDir: OrderDir
  starredFirst: boolean
  /** Days under headings of their own. It only shows where the order is one by date. */
  groupByDay: boolean
}

export const DEFAULT_ORDER: PlaceOrder = {
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
  groupByDay: false,
}

/** The words that an address has for an order, and the way round that a person expects first. */
const ORDER_PARAMS = {
  created_at: { sort: 'added', ASC: 'oldest', DESC: 'newest', first: 'DESC' },
  taken_at: { sort: 'taken', ASC: 'oldest', DESC: 'newest', first: 'DESC' },
  name: { sort: 'name', ASC: 'a-z', DESC: 'z-a', first: 'ASC' },
  size: { sort: 'size', ASC: 'smallest', DESC: 'largest', first: 'DESC' },
} as const satisfies Record<ImageOrder, object>

export const ORDERS: readonly ImageOrder[] = ['created_at', 'taken_at', 'name', 'size']

/** The way round in which an order begins: newest, A or largest first. */
export const defaultDirOf = (orderBy: ImageOrder): OrderDir => ORDER_PARAMS[orderBy].first

export const isByDate = (orderBy: ImageOrder): boolean =>
  orderBy === 'created_at' || orderBy === 'taken_at'

/** Reads the order out of an address's query. What it does not say, or says wrongly, is the default. */
export function parseOrder(params: URLSearchParams): PlaceOrder {
  const sort = params.get('sort')
  const orderBy = ORDERS.find((one) => ORDER_PARAMS[one].sort === sort) ?? DEFAULT_ORDER.orderBy
  const first = defaultDirOf(orderBy)
  const other = first === 'ASC' ? 'DESC' : 'ASC'
  return {
    orderBy,
    orderDir: params.get('order') === ORDER_PARAMS[orderBy][other] ? other : first,
    starredFirst: params.get('starred') === 'first',
    groupByDay: params.get('group') === 'day',
  }
}

/** Whether an address's query says anything about the order. */
export const hasOrder = (params: URLSearchParams): boolean =>
  ['sort', 'order', 'starred', 'group'].some((name) => params.has(name))

/** Writes an order into an address's query, with only what differs from the default. */
export function writeOrder(params: URLSearchParams, order: PlaceOrder): void {
  const { orderBy, orderDir, starredFirst, groupByDay } = order
  if (orderBy !== DEFAULT_ORDER.orderBy) params.set('sort', ORDER_PARAMS[orderBy].sort)
  if (orderDir !== defaultDirOf(orderBy)) params.set('order', ORDER_PARAMS[orderBy][orderDir])
  if (starredFirst) params.set('starred', 'first')
  if (groupByDay) params.set('group', 'day')
}
