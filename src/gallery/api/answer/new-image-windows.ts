import type { ImageRecord } from '#contract/image.ts'
import { matchesFilter } from '#contract/image-filter.ts'
import {
  type ImageView,
  type ImageWindow,
  type ImageWindows,
  isTrash,
  WINDOW_SIZE,
  windowsOf,
} from '#gallery/api/images/image-windows.ts'

/** Returns true if a view can contain the image. Searches are ignored, because only the server can evaluate them. */
export const isOf = (view: ImageView, image: ImageRecord): boolean =>
  !isTrash(view) &&
  (view.boardId === null || view.boardId === (image.board_id ?? 'none')) &&
  matchesFilter(view, image)

/** Returns true if the page itself can compute the position of a new image in a view. */
export const isNewestFirst = ({ query, orderBy, orderDir }: ImageView): boolean =>
  query === '' && [undefined, 'created_at', 'taken_at'].includes(orderBy) && orderDir === 'DESC'

/**
 * Inserts new images at the front of a view that shows the newest images first. Later images move down across windows,
 * and `total` grows. Unknown records that move into a window leave a hole. Images that are already there are skipped.
 *
 * @param records - Images of the view, in any order.
 * @returns `null` if the positions are unknown, so that the server must be asked.
 */
export function withNewImages(
  view: ImageView,
  windows: ImageWindows,
  records: readonly ImageRecord[],
): Map<number, ImageWindow> | null {
  const first = windows.get(0)
  if (first === undefined) return null
  const front = knownFront(windows)
  const lead = view.starredFirst ? front.findIndex(({ starred }) => !starred) : 0
  const isAllKnown = front.length >= first.total
  if (lead < 0 && !isAllKnown) return null

  const placed = [...front]
  const known = new Set(front.map(({ image_name }) => image_name))
  const start = lead < 0 ? front.length : lead
  const dateOf = (record: ImageRecord) =>
    (view.orderBy === 'taken_at' && record.taken_at) || record.created_at
  const byDate = (a: ImageRecord, b: ImageRecord) => (dateOf(a) < dateOf(b) ? -1 : 1)
  for (const record of records.toSorted(byDate)) {
    if (known.has(record.image_name)) continue
    const at = placed.findIndex(
      (other, position) => position >= start && dateOf(other) <= dateOf(record),
    )
    // Older than all known records at the front, so its position is unknown.
    if (at < 0 && !isAllKnown) continue
    known.add(record.image_name)
    placed.splice(at < 0 ? placed.length : at, 0, record)
  }
  const total = first.total + placed.length - front.length
  return cut(placed, front.length, windows, total)
}

/** Returns the records from the first one up to the first gap. */
function knownFront(windows: ImageWindows): ImageRecord[] {
  const front: ImageRecord[] = []
  for (let index = 0; ; index += 1) {
    for (const record of windows.get(index)?.items ?? []) {
      if (record === undefined) return front
      front.push(record)
    }
    if (front.length < (index + 1) * WINDOW_SIZE) return front
  }
}

/**
 * Divides the placed records into windows, and moves the records behind them.
 *
 * @param frontLength - The number of records in the windows that `placed` already contains.
 */
function cut(
  placed: readonly ImageRecord[],
  frontLength: number,
  windows: ImageWindows,
  total: number,
): Map<number, ImageWindow> {
  const moved = new Map<number, ImageRecord>()
  for (const [index, window] of windows) {
    const by = Math.max(0, total - window.total)
    for (const [offset, record] of window.items.entries()) {
      const position = index * WINDOW_SIZE + offset
      if (record && position >= frontLength) moved.set(position + by, record)
    }
  }
  for (const [position, record] of placed.entries()) moved.set(position, record)
  // A window that was loaded after the first one may already contain some of the new images.
  const totalOf = (index: number) => Math.max(total, windows.get(index)?.total ?? 0)
  return windowsOf(moved, windows.keys(), totalOf)
}
