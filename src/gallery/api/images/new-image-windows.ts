import type { ImageRecord } from '#contract/image.ts'
import {
  type ImageView,
  type ImageWindow,
  type ImageWindows,
  isTrash,
  lengthOfWindow,
  WINDOW_SIZE,
  windowIndexOf,
} from './image-windows.ts'

/** Whether a view shows such an image at all, as far as that can be told without the server. */
export const isOf = (view: ImageView, { board_id, image_category }: ImageRecord): boolean =>
  !isTrash(view) &&
  (view.boardId === null || view.boardId === (board_id ?? 'none')) &&
  (view.categories?.includes(image_category) ?? true)

/** Whether the page can work out where a new image stands in a view. */
export const isNewestFirst = ({ query, orderBy, orderDir }: ImageView): boolean =>
  query === '' && (orderBy ?? 'created_at') === 'created_at' && orderDir === 'DESC'

/**
 * The windows of a view that has the newest first, after new images have come to its front: later ones
 * move down, over the edges of windows too, and `total` grows. Where something unknown moves in, a hole
 * is left. What is there already does not come twice.
 *
 * @param records - Images that the view shows, in any order.
 * @returns `null` where it cannot be told where they stand: the server is to be asked.
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
  for (const record of records.toSorted(byAge)) {
    if (known.has(record.image_name)) continue
    const at = placed.findIndex(
      (other, position) => position >= start && other.created_at <= record.created_at,
    )
    // Older than all that is known of the front: it stands somewhere behind.
    if (at < 0 && !isAllKnown) continue
    known.add(record.image_name)
    placed.splice(at < 0 ? placed.length : at, 0, record)
  }
  const total = first.total + placed.length - front.length
  return cut(placed, front.length, windows, total)
}

const byAge = (a: ImageRecord, b: ImageRecord): number => (a.created_at < b.created_at ? -1 : 1)

/** What is known from the first image on, up to the first gap. */
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

/** @param frontLength - How much of the windows stands in `placed` already. */
function cut(
  placed: readonly ImageRecord[],
  frontLength: number,
  windows: ImageWindows,
  total: number,
): Map<number, ImageWindow> {
  const moved = new Map<number, (ImageRecord | undefined)[]>()
  const totals = new Map<number, number>()
  const put = (position: number, record: ImageRecord) => {
    const index = windowIndexOf(position)
    const items = moved.get(index) ?? []
    moved.set(index, items)
    items[position % WINDOW_SIZE] = record
  }
  for (const [index, window] of windows) {
    moved.set(index, moved.get(index) ?? [])
    // A window that was asked for later than the first one may have some of them in it already.
    totals.set(index, Math.max(total, window.total))
    const by = Math.max(0, total - window.total)
    for (const [offset, record] of window.items.entries()) {
      const position = index * WINDOW_SIZE + offset
      if (record && position >= frontLength) put(position + by, record)
    }
  }
  for (const [position, record] of placed.entries()) put(position, record)

  const result = new Map<number, ImageWindow>()
  for (const [index, items] of moved) {
    const own = totals.get(index) ?? total
    const length = lengthOfWindow(index, own)
    result.set(index, { items: Array.from({ length }, (_, offset) => items[offset]), total: own })
  }
  return result
}
