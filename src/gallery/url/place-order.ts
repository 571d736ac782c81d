import type { ImageOrder } from '#contract/image.ts'

export type OrderDir = 'ASC' | 'DESC'

export interface PlaceOrder {
  orderBy: ImageOrder
  orderDir: OrderDir
  starredFirst: boolean
  /** True groups images under day headings. It has an effect only in orders by date. */
  groupByDay: boolean
}

export const DEFAULT_ORDER: PlaceOrder = {
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
  groupByDay: false,
}

/** URL values of each order, and its default direction. */
const ORDER_PARAMS = {
  created_at: { sort: 'added', ASC: 'oldest', DESC: 'newest', first: 'DESC' },
  taken_at: { sort: 'taken', ASC: 'oldest', DESC: 'newest', first: 'DESC' },
  name: { sort: 'name', ASC: 'a-z', DESC: 'z-a', first: 'ASC' },
  size: { sort: 'size', ASC: 'smallest', DESC: 'largest', first: 'DESC' },
} as const satisfies Record<ImageOrder, object>

export const ORDERS: readonly ImageOrder[] = ['created_at', 'taken_at', 'name', 'size']

/** Returns the default direction of an order: newest, A or largest first. */
export const defaultDirOf = (orderBy: ImageOrder): OrderDir => ORDER_PARAMS[orderBy].first

export const isByDate = (orderBy: ImageOrder): boolean =>
  orderBy === 'created_at' || orderBy === 'taken_at'

/** Parses the order from URL parameters. Missing and invalid values get the default. */
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

export const hasOrder = (params: URLSearchParams): boolean =>
  ['sort', 'order', 'starred', 'group'].some((name) => params.has(name))

/** Adds an order to URL parameters, omitting default values. */
export function writeOrder(params: URLSearchParams, order: PlaceOrder): void {
  const { orderBy, orderDir, starredFirst, groupByDay } = order
  if (orderBy !== DEFAULT_ORDER.orderBy) params.set('sort', ORDER_PARAMS[orderBy].sort)
  if (orderDir !== defaultDirOf(orderBy)) params.set('order', ORDER_PARAMS[orderBy][orderDir])
  if (starredFirst) params.set('starred', 'first')
  if (groupByDay) params.set('group', 'day')
}
