import type { ImageFiles, PendingFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import type { Upkeep } from '#server/core/record-ports.ts'

/** An upload commits its rows, or fails, long before. */
const PENDING_MS = 3_600_000

const NAMES_PER_BATCH = 500

export interface PendingSweepParts {
  pending: PendingFiles
  upkeep: Pick<Upkeep, 'unknownNames'>
  files: Pick<ImageFiles, 'stat' | 'setAside'>
  thumbnails: Pick<ThumbnailFiles, 'remove'>
}

/**
 * Sets aside files that were stored at least an hour ago and still have no record, for stores that are too large to be
 * compared with the records.
 *
 * @returns The new paths of the files.
 */
export const sweepPending = async (parts: PendingSweepParts): Promise<string[]> => {
  const { pending } = parts
  const paths: string[] = []
  for (;;) {
    const names = await pending.sweep(PENDING_MS, NAMES_PER_BATCH)
    if (names.length === 0) return paths
    paths.push(...(await setAsideStrays(parts, names)))
    await pending.endSweep(names)
  }
}

const setAsideStrays = async (
  { upkeep, files, thumbnails }: PendingSweepParts,
  names: readonly string[],
): Promise<string[]> => {
  const paths: string[] = []
  for (const imageName of await upkeep.unknownNames(names)) {
    if ((await files.stat(imageName)) === null) continue
    paths.push(await files.setAside(imageName))
    await thumbnails.remove([imageName])
  }
  return paths
}
