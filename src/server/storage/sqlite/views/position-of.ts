import type { ImagePosition } from '#contract/image.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { getOrderKey } from './get-order-key.ts'
import { openView } from './open-view.ts'
import { orderOf } from './order.ts'

/** null: no such image. */
export const positionOf = async (
  reading: Reading,
  view: View,
  imageName: string,
): Promise<ImagePosition | null> => {
  const key = await getOrderKey(reading.db, imageName, orderOf(view))
  if (key === null) return null
  const opened = await openView(reading, view)
  return { position: await opened.positionOf(key), total: opened.total }
}
