import { hashKey } from '@tanstack/react-query'
import type { LibraryChanges } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import { isOf } from '#gallery/api/answer/new-image-windows.ts'
import type { CachedView } from './image-cache.ts'
import { type ImageView, isTrash } from './image-windows.ts'
import type { ShownChange } from './show-change.ts'

/** The records of images that others changed, by their names. A permanently deleted image has none. */
export type ChangedRecords = ReadonlyMap<string, ImageRecord>

/** The cached record of a changed image. */
interface CachedImage {
  readonly record: ImageRecord
  readonly isInTrash: boolean
}

/**
 * Returns how cached images differ from their changed records, as changes that `showChange` can show: stars, moves, and
 * moves to the trash and back.
 *
 * @param boardIds - Boards whose images have changed. Only these are counted, because the board of an outdated record is
 *   not the one that the image has left.
 */
export function differences(
  views: Iterable<CachedView>,
  { created, updated, destroyed }: LibraryChanges['images'],
  { records, boardIds }: { records: ChangedRecords; boardIds: ReadonlySet<string> },
): ShownChange[] {
  const cached = cachedImages(views, new Set([...created, ...updated, ...destroyed]))
  const isDestroyed = new Set(destroyed)
  const boards = new Map<string, string>()
  const found: Pick<ShownChange & { name: string }, 'aspect' | 'wanted' | 'name'>[] = []
  for (const [name, { record: before, isInTrash }] of cached) {
    const now = records.get(name)
    const board = boardOf(isInTrash && now ? now : before)
    if (boardIds.has(board)) boards.set(name, board)
    // Intermediate images are in no view.
    if (now === undefined || now.is_intermediate) {
      const isGone = now !== undefined || isDestroyed.has(name)
      if (isGone && !isInTrash) found.push({ aspect: 'deleted', wanted: true, name })
    } else if (now.deleted_at !== null) {
      if (!isInTrash) found.push({ aspect: 'trashed', wanted: true, name })
    } else if (isInTrash) found.push({ aspect: 'trashed', wanted: false, name })
    else {
      if (now.starred !== before.starred)
        found.push({ aspect: 'starred', wanted: now.starred, name })
      if (boardOf(now) !== boardOf(before))
        found.push({ aspect: 'board', wanted: boardOf(now), name })
    }
  }
  const groups = Map.groupBy(found, ({ aspect, wanted }) => `${aspect} ${wanted}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const targets = group.map(({ name }) => name)
    return first ? [{ aspect: first.aspect, wanted: first.wanted, targets, boards }] : []
  })
}

/**
 * Returns the hashes of the views whose cached windows lack a changed image that belongs to them, or have one that does
 * not.
 */
export function wrongViews(views: Iterable<CachedView>, records: ChangedRecords): Set<string> {
  const wrong = new Set<string>()
  for (const { view, windows } of views) {
    const missing = new Set<string>()
    for (const [name, record] of records) if (belongsTo(view, record)) missing.add(name)
    let hasOther = false
    for (const { items } of windows.values()) {
      for (const record of items) {
        if (record === undefined || !records.has(record.image_name)) continue
        if (!missing.delete(record.image_name)) hasOther = true
      }
    }
    if (missing.size > 0 || hasOther) wrong.add(hashKey([view]))
  }
  return wrong
}

function belongsTo(view: ImageView, record: ImageRecord): boolean {
  const isInTrash = record.deleted_at !== null
  return !record.is_intermediate && (isTrash(view) ? isInTrash : !isInTrash && isOf(view, record))
}

/**
 * Returns the hashes of views whose windows lack a changed image. The page cannot tell then whether the image was in the
 * view, so only the server knows the total. An image that is cached elsewhere was not in the trash.
 */
export function unsureViews(
  views: readonly CachedView[],
  names: readonly string[],
): ReadonlySet<string> {
  const changed = new Set(names)
  const everywhere = cachedImages(views, changed)
  const isUnsure = (one: CachedView) => {
    const cached = isTrash(one.view) ? everywhere : cachedImages([one], changed)
    return cached.size < changed.size
  }
  return new Set(views.filter(isUnsure).map(({ view }) => hashKey([view])))
}

function cachedImages(views: Iterable<CachedView>, names: ReadonlySet<string>) {
  const cached = new Map<string, CachedImage>()
  for (const { view, windows } of views) {
    for (const { items } of windows.values()) {
      for (const record of items) {
        if (record && names.has(record.image_name))
          cached.set(record.image_name, { record, isInTrash: isTrash(view) })
      }
    }
  }
  return cached
}

const boardOf = ({ board_id }: Partial<ImageRecord>): string => board_id ?? 'none'
