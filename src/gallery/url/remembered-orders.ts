import {
  areSameOrders,
  defaultOrderOf,
  type PlaceOrder,
  parseOrder,
  TRASH,
  writeOrder,
} from './place-order.ts'

const KEY = 'tessera:orders'

/** Maximum number of boards with an order; those that were chosen first are dropped. */
const MAX_BOARDS = 500

/** Stored as URL parameters without a board, so that a value of a later version is ignored. */
interface RememberedOrders {
  /** The order for boards without their own. */
  readonly standard: string | null
  readonly boards: Readonly<Record<string, string>>
}

const NONE: RememberedOrders = { standard: null, boards: {} }

/** Stands for a board in stored orders, which are the same text for each board. */
const ANY_BOARD = ''

function rememberedOrders(): RememberedOrders {
  try {
    return { ...NONE, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    // Not JSON, or the browser forbids storage.
    return NONE
  }
}

function store(orders: RememberedOrders): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(orders))
  } catch {
    // If storage is full or forbidden, only the order of the next visit is lost.
  }
}

const parse = (text: string, board = ANY_BOARD): PlaceOrder =>
  parseOrder(new URLSearchParams(text), board === TRASH ? TRASH : ANY_BOARD)

function format(order: PlaceOrder, board = ANY_BOARD): string {
  const params = new URLSearchParams()
  writeOrder(params, order, board === TRASH ? TRASH : ANY_BOARD)
  return params.toString()
}

/** Returns the default order that the user chose; null if the user chose none. */
export function chosenDefault(): PlaceOrder | null {
  const { standard } = rememberedOrders()
  return standard === null ? null : parse(standard)
}

/** Returns the order of a board without its own. The default of the user does not sort the trash. */
function standardOrderOf(board: string): PlaceOrder {
  const standard = defaultOrderOf(board)
  const chosen = chosenDefault() ?? standard
  if (board !== TRASH) return chosen
  return { ...chosen, orderBy: standard.orderBy, orderDir: standard.orderDir }
}

/** Returns the order of a board: its own, else the default. */
export function orderOfBoard(board: string): PlaceOrder {
  const own = rememberedOrders().boards[board]
  return own === undefined ? standardOrderOf(board) : parse(own, board)
}

/** Remembers the order of a board. An order like the default is forgotten, so that it follows the default. */
export function rememberOrder(board: string, order: PlaceOrder): void {
  const { standard, boards } = rememberedOrders()
  const { [board]: _, ...others } = boards
  const isDefault = areSameOrders(order, standardOrderOf(board))
  const kept = Object.entries(others).slice(-(MAX_BOARDS - 1))
  const own: [string, string][] = isDefault ? [] : [[board, format(order, board)]]
  store({ standard, boards: Object.fromEntries([...kept, ...own]) })
}

/** Makes an order the default, and that of all boards. */
export const rememberForAll = (order: PlaceOrder): void =>
  store({ standard: format(order), boards: {} })

/** Forgets the orders of all boards and the default. */
export const forgetOrders = (): void => store(NONE)

export const hasRememberedOrders = (): boolean => {
  const { standard, boards } = rememberedOrders()
  return standard !== null || Object.keys(boards).length > 0
}
