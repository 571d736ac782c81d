import type { ImageCategory, ImageOrder, ImageRecord } from '#contract/image.ts'

/** Records in one window: about four screens, and one request. */
export const WINDOW_SIZE = 200

/** What selects and orders the images that a grid shows. */
export interface ImageView {
  /** A board's id, `none` for the uncategorized board, or `null` for every board. */
  readonly boardId: string | null
  /** What is searched for. Empty: nothing. */
  readonly query: string
  /** Absent: `created_at`, which is all that InvokeAI knows. */
  readonly orderBy?: ImageOrder
  readonly orderDir: 'ASC' | 'DESC'
  readonly starredFirst: boolean
  /** Absent: every category. */
  readonly categories?: readonly ImageCategory[]
  /** The trash, newest there first; absent in every other view. */
  readonly isTrash?: true
}

/** The images of the trash. Its order cannot be changed, and it cannot be searched. */
export const TRASH_VIEW: ImageView = {
  boardId: null,
  query: '',
  orderDir: 'DESC',
  starredFirst: false,
  isTrash: true,
}

export const isTrash = (view: ImageView): boolean => view.isTrash === true

/** The part of a view from `index * WINDOW_SIZE` on. `undefined`: not known, until it is fetched again. */
export interface ImageWindow {
  readonly items: readonly (ImageRecord | undefined)[]
  /** Images in the whole view. */
  readonly total: number
}

/** Windows of one view by their index. */
export type ImageWindows = ReadonlyMap<number, ImageWindow>

/** The view that a place in the address shows. */
export function viewOf(place: {
  board: string
  query: string
  orderBy: ImageOrder
  orderDir: 'ASC' | 'DESC'
  starredFirst: boolean
  categories: readonly ImageCategory[]
}): ImageView {
  if (place.board === 'trash') return TRASH_VIEW
  return {
    boardId: place.board === 'all' ? null : place.board,
    query: place.query,
    ...(place.orderBy !== 'created_at' && { orderBy: place.orderBy }),
    orderDir: place.orderDir,
    starredFirst: place.starredFirst,
    ...(place.categories.length > 0 && { categories: place.categories }),
  }
}

/** Which window a position lies in. */
export const windowIndexOf = (position: number): number => Math.floor(position / WINDOW_SIZE)

/** The record at a position, if it is known. */
export const recordAt = (windows: ImageWindows, position: number): ImageRecord | undefined =>
  windows.get(windowIndexOf(position))?.items[position % WINDOW_SIZE]

/** How many items a window holds when all of it is known. */
export const lengthOfWindow = (index: number, total: number): number =>
  Math.max(0, Math.min(WINDOW_SIZE, total - index * WINDOW_SIZE))

/** Whether some of a window's records are not known. */
export function hasHoles(window: ImageWindow, index: number): boolean {
  const length = lengthOfWindow(index, window.total)
  if (window.items.length < length) return true
  return window.items.slice(0, length).includes(undefined)
}

/** Where named images stand in the windows that are known, in ascending order. */
export function positionsIn(windows: ImageWindows, names: ReadonlySet<string>): number[] {
  const positions: number[] = []
  for (const [index, { items }] of windows) {
    items.forEach((record, offset) => {
      if (record && names.has(record.image_name)) positions.push(index * WINDOW_SIZE + offset)
    })
  }
  return positions.sort((a, b) => a - b)
}

/**
 * The windows of a view after the images at some positions have left it: later ones move up, over the
 * edges of windows too, and `total` shrinks. All that was known stays known; where something unknown
 * moves in, a hole is left.
 *
 * @param positions - Ascending, each once. They need not lie in a window that is known.
 */
export function withoutPositions(
  windows: ImageWindows,
  positions: readonly number[],
): Map<number, ImageWindow> {
  const oldTotal = Math.max(0, ...[...windows.values()].map((window) => window.total))
  const total = Math.max(0, oldTotal - positions.length)
  const moved = new Map<number, (ImageRecord | undefined)[]>()
  for (const index of windows.keys()) moved.set(index, [])

  let removedBefore = 0
  for (const index of [...windows.keys()].sort((a, b) => a - b)) {
    const items = windows.get(index)?.items ?? []
    for (let offset = 0; offset < items.length; offset += 1) {
      const position = index * WINDOW_SIZE + offset
      while ((positions[removedBefore] ?? Infinity) < position) removedBefore += 1
      const record = items[offset]
      if (record === undefined || positions[removedBefore] === position) continue
      const target = position - removedBefore
      const targetIndex = windowIndexOf(target)
      const targetItems = moved.get(targetIndex) ?? []
      moved.set(targetIndex, targetItems)
      targetItems[target % WINDOW_SIZE] = record
    }
  }

  const result = new Map<number, ImageWindow>()
  for (const [index, items] of moved) {
    // Array.from turns the gaps of a sparse array into plain `undefined`, which `includes` and `map` see.
    result.set(index, {
      items: Array.from({ length: lengthOfWindow(index, total) }, (_, offset) => items[offset]),
      total,
    })
  }
  return result
}

/** A window with some of its records changed; the same object where none of them is in it. */
export function withChanged(
  window: ImageWindow,
  names: ReadonlySet<string>,
  change: Partial<ImageRecord>,
): ImageWindow {
  let isChanged = false
  const items = window.items.map((record) => {
    if (!record || !names.has(record.image_name)) return record
    isChanged = true
    return { ...record, ...change }
  })
  return isChanged ? { ...window, items } : window
}
