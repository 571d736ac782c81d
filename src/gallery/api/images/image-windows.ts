import type { ImageOrder, ImageRecord } from '#contract/image.ts'
import { filterOf, type ImageFilter } from '#contract/image-filter.ts'
import type { TrashOrder } from '#contract/trash-operations.ts'

/** Records in one window: about four screens, and one request. */
export const WINDOW_SIZE = 200

/** The filter and order of the images in a grid. */
export interface ImageView extends Omit<ImageFilter, 'isIntermediate'> {
  /** A board ID, `none` for the uncategorized board, or `null` for all boards. */
  readonly boardId: string | null
  /** The search text. Empty for no search. */
  readonly query: string
  /** Default `created_at`, the only order that InvokeAI supports; in the trash `deleted_at`. */
  readonly orderBy?: ImageOrder
  readonly orderDir: 'ASC' | 'DESC'
  readonly starredFirst: boolean
  /** Set only in views of the trash. */
  readonly isTrash?: true
}

/** The view of the trash in its default order. The trash has no search and no filter. */
export const TRASH_VIEW: ImageView = {
  boardId: null,
  query: '',
  orderDir: 'DESC',
  starredFirst: false,
  isTrash: true,
}

/** The view of all starred images outside the trash, newest first. */
export const STARRED_VIEW: ImageView = {
  boardId: null,
  query: '',
  orderDir: 'DESC',
  starredFirst: false,
  isStarred: true,
}

export const isTrash = (view: ImageView): boolean => view.isTrash === true

/** The part of a view that starts at `index * WINDOW_SIZE`. Items are `undefined` (holes) until they are refetched. */
export interface ImageWindow {
  readonly items: readonly (ImageRecord | undefined)[]
  /** Images in the whole view. */
  readonly total: number
}

export type ImageWindows = ReadonlyMap<number, ImageWindow>

export function viewOf(
  place: ImageFilter & {
    board: string
    query: string
    orderBy: ImageOrder | TrashOrder
    orderDir: 'ASC' | 'DESC'
    starredFirst: boolean
  },
): ImageView {
  const { orderBy, orderDir } = place
  if (place.board === 'trash') {
    return { ...TRASH_VIEW, ...(orderBy !== 'deleted_at' && { orderBy }), orderDir }
  }
  const isEverywhere = ['all', 'starred', 'duplicates'].includes(place.board)
  const filter = filterOf(place.board === 'starred' ? { ...place, isStarred: true } : place)
  return {
    boardId: isEverywhere ? null : place.board,
    query: place.query,
    ...(orderBy !== 'created_at' && orderBy !== 'deleted_at' && { orderBy }),
    orderDir,
    starredFirst: place.starredFirst && filter.isStarred === undefined,
    ...filter,
  }
}

export const windowIndexOf = (position: number): number => Math.floor(position / WINDOW_SIZE)

/** Returns the record at a position if it is known. */
export const recordAt = (windows: ImageWindows, position: number): ImageRecord | undefined =>
  windows.get(windowIndexOf(position))?.items[position % WINDOW_SIZE]

/** Returns the number of items in a complete window. */
export const lengthOfWindow = (index: number, total: number): number =>
  Math.max(0, Math.min(WINDOW_SIZE, total - index * WINDOW_SIZE))

export function hasHoles(window: ImageWindow, index: number): boolean {
  const length = lengthOfWindow(index, window.total)
  if (window.items.length < length) return true
  return window.items.slice(0, length).includes(undefined)
}

/** Returns the positions of named images in the known windows, in ascending order. */
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
 * Removes the images at some positions from the windows of a view. Later images move up across windows, and `total`
 * shrinks. No known record is lost. Unknown records that move into a window leave a hole.
 *
 * @param positions - Ascending, without duplicates. They need not be in a known window.
 */
export function withoutPositions(
  windows: ImageWindows,
  positions: readonly number[],
): Map<number, ImageWindow> {
  const oldTotal = Math.max(0, ...[...windows.values()].map((window) => window.total))
  const total = Math.max(0, oldTotal - positions.length)
  const moved = new Map<number, ImageRecord>()
  let removedBefore = 0
  for (const index of [...windows.keys()].sort((a, b) => a - b)) {
    const items = windows.get(index)?.items ?? []
    for (let offset = 0; offset < items.length; offset += 1) {
      const position = index * WINDOW_SIZE + offset
      while ((positions[removedBefore] ?? Infinity) < position) removedBefore += 1
      const record = items[offset]
      if (record === undefined || positions[removedBefore] === position) continue
      moved.set(position - removedBefore, record)
    }
  }
  return windowsOf(moved, windows.keys(), () => total)
}

/**
 * Builds the windows of a view from its records by position. Unknown positions are holes.
 *
 * @param indices - Windows to build even if none of their records is known.
 * @param totalOf - The number of images in the view, according to a window.
 */
export function windowsOf(
  records: ReadonlyMap<number, ImageRecord>,
  indices: Iterable<number>,
  totalOf: (index: number) => number,
): Map<number, ImageWindow> {
  const all = new Set([...indices, ...[...records.keys()].map(windowIndexOf)])
  return new Map(
    [...all].map((index) => {
      const total = totalOf(index)
      const length = lengthOfWindow(index, total)
      const items = Array.from({ length }, (_, at) => records.get(index * WINDOW_SIZE + at))
      return [index, { items, total }]
    }),
  )
}

/** The changed fields of a record, which may depend on the record. */
export type RecordChange = Partial<ImageRecord> | ((record: ImageRecord) => Partial<ImageRecord>)

export const changedRecord = (record: ImageRecord, change: RecordChange): ImageRecord => ({
  ...record,
  ...(typeof change === 'function' ? change(record) : change),
})

/** Returns a window with changed records; the same object if it contains none of them. */
export function withChanged(
  window: ImageWindow,
  names: ReadonlySet<string>,
  change: RecordChange,
): ImageWindow {
  let isChanged = false
  const items = window.items.map((record) => {
    if (!record || !names.has(record.image_name)) return record
    isChanged = true
    return changedRecord(record, change)
  })
  return isChanged ? { ...window, items } : window
}
