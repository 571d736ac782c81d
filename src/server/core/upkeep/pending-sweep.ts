import type { Clock } from '#server/core/clock.ts'
import type {
  ImageFiles,
  PendingFiles,
  SetAsideFile,
  ThumbnailFiles,
} from '#server/core/intake/file-ports.ts'
import type { Upkeep } from '#server/core/record-ports.ts'

/** An upload commits its rows, or fails, long before. */
const PENDING_MS = 3_600_000

const NAMES_PER_BATCH = 500

export interface PendingSweepParts {
  pending: PendingFiles
  upkeep: Pick<Upkeep, 'unknownNames'>
  files: Pick<ImageFiles, 'stat' | 'setAside' | 'takeBack'>
  thumbnails: Pick<ThumbnailFiles, 'remove'>
  clock: Clock
}

/**
 * Sets aside files that were stored at least an hour ago and still have no record, for stores that are too large to be
 * compared with the records.
 *
 * @returns The new paths of the files.
 */
export const sweepPending = async (parts: PendingSweepParts): Promise<string[]> => {
  const { pending, clock } = parts
  const paths: string[] = []
  for (;;) {
    const names = await pending.olderThan(clock() - PENDING_MS, NAMES_PER_BATCH)
    if (names.length === 0) return paths
    const moved = await setAsideStrays(parts, names)
    await pending.forget(names)
    const stillMoved = await takeBackRecorded(parts, moved)
    paths.push(...stillMoved.map(({ path }) => path))
  }
}

const setAsideStrays = async (
  { upkeep, files, thumbnails }: PendingSweepParts,
  names: readonly string[],
): Promise<SetAsideFile[]> => {
  const moved: SetAsideFile[] = []
  for (const imageName of await upkeep.unknownNames(names)) {
    if ((await files.stat(imageName)) === null) continue
    moved.push({ imageName, path: await files.setAside(imageName) })
    await thumbnails.remove([imageName])
  }
  return moved
}

/** Moves files back whose rows a very slow upload committed while they were moved. */
const takeBackRecorded = async (
  { upkeep, files }: PendingSweepParts,
  moved: readonly SetAsideFile[],
): Promise<SetAsideFile[]> => {
  if (moved.length === 0) return []
  const unknown = new Set(await upkeep.unknownNames(moved.map(({ imageName }) => imageName)))
  for (const file of moved) if (!unknown.has(file.imageName)) await files.takeBack(file)
  return moved.filter(({ imageName }) => unknown.has(imageName))
}
