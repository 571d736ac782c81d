import type { ImageNamesResult } from '#contract/image.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sqlite/boards/get-board-key.ts'
import { type PackedNames, packNames } from '#server/storage/sqlite/packed-names.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { openView } from './open-view.ts'
import type { OpenedView } from './opened-view.ts'

type PackedResult = Omit<ImageNamesResult, 'image_names'> & { packed: PackedNames }

/** Every name of a view. `starred_count` is 0 unless starred images come first (wire 2.4). */
export const namesOf = async (reading: Reading, view: View): Promise<PackedResult> => {
  const opened = await openView(reading, view)
  return {
    packed: await packed(reading, opened, { offset: 0, limit: -1 }),
    starred_count: view.starredFirst ? await opened.countStarred() : 0,
    total_count: opened.total,
  }
}

/** Names of a board's images. null: no such board. */
export const namesOnBoard = async (
  reading: Reading,
  view: View & { boardId: string },
  window: { offset: number; limit: number } = { offset: 0, limit: -1 },
): Promise<PackedNames | null> => {
  if ((await getViewedBoardKey(reading.db, view.boardId)) === null) return null
  const opened = await openView(reading, view)
  return packed(reading, opened, window)
}

const packed = async (
  { transfer }: Reading,
  opened: OpenedView,
  { offset, limit }: { offset: number; limit: number },
): Promise<PackedNames> => {
  const names = await packNames(opened.names(offset, limit), opened.total)
  transfer.push(names)
  return names
}
