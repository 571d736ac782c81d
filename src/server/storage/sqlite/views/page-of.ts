import type { PageWindow, View } from '#server/core/images/image-ports.ts'
import { listRecordsByIds } from '#server/storage/sqlite/images/list-image-records.ts'
import { type PackedRows, readPacked } from '#server/storage/sqlite/packed-rows.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { getOrderKey } from './get-order-key.ts'
import { openView } from './open-view.ts'
import type { OpenedView } from './opened-view.ts'
import { orderOf } from './order.ts'

/** null: the image that the page follows is not there. */
export const pageOf = async (
  reading: Reading,
  view: View,
  window: PageWindow,
): Promise<{ items: PackedRows; total: number; totalBytes: number | null } | null> => {
  const opened = await openView(reading, view)
  const ids = await idsOf(reading, view, opened, window)
  if (ids === null) return null
  const items = await readPacked(ids, (part) => listRecordsByIds(reading.db, part))
  return { items, total: opened.total, totalBytes: opened.totalBytes }
}

const idsOf = async ({ db }: Reading, view: View, opened: OpenedView, window: PageWindow) => {
  if ('offset' in window) return opened.slice(window.offset, window.limit)
  const key = await getOrderKey(db, window.after, orderOf(view))
  return key === null ? null : opened.behind(key, window.limit)
}
