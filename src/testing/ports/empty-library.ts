import { randomUUID } from 'node:crypto'
import type { Records } from '#server/core/record-ports.ts'

/** Empties a library, so that a test need not open a new one with new threads. */
export const emptyLibrary = async (records: Records): Promise<void> => {
  const { boards, images, trash, upkeep, savedSearches, tags } = records
  const every = { orderBy: 'created_at', direction: 'ASC', includeArchived: true } as const
  for (const { board_id } of (await boards.list(every)).items)
    await boards.remove(board_id, { images: 'keep' })
  await images.removeUncategorized('image')
  await images.removeUncategorized('video')
  await trash.purge(Number.MAX_SAFE_INTEGER)
  for (const { search_id } of await savedSearches.list()) await savedSearches.remove(search_id)
  for (const { name } of await tags.list()) {
    const change = { changeId: randomUUID(), keptMs: 0 }
    await tags.remove(name, change)
  }
  await upkeep.forgetTombstones(await upkeep.tombstones(100_000))
}
