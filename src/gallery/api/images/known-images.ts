import type { ImageRecord } from '#contract/image.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { imageKeys } from './image-cache.ts'
import { type ImageView, type ImageWindow, isTrash } from './image-windows.ts'

/** Returns the cached records of named images. */
export function knownImages(imageNames: readonly string[]): Map<string, ImageRecord> {
  const wanted = new Set(imageNames)
  const known = new Map<string, ImageRecord>()
  for (const record of knownRecords()) {
    if (wanted.has(record.image_name)) known.set(record.image_name, record)
  }
  return known
}

function* knownRecords(
  isWanted: (view: ImageView) => boolean = () => true,
): Generator<ImageRecord> {
  for (const [key, window] of theGallery.queryClient.getQueriesData<ImageWindow>({
    queryKey: imageKeys.all(),
  })) {
    if (key[2] !== 'window' || !isWanted(key[1] as ImageView)) continue
    for (const record of window?.items ?? []) if (record) yield record
  }
}

/** Returns the names of the cached images on a board, without those in the trash. */
export function knownNamesOn(boardId: string): string[] {
  const names = new Set<string>()
  for (const record of knownRecords((view) => !isTrash(view))) {
    if (record.board_id === boardId) names.add(record.image_name)
  }
  return [...names]
}

/** Returns the known boards of named images, from cached records and from the cached name lists of boards. */
export function knownBoards(imageNames: readonly string[]): Map<string, string> {
  const boards = new Map<string, string>()
  for (const [name, { board_id }] of knownImages(imageNames)) boards.set(name, board_id ?? 'none')
  if (boards.size === imageNames.length) return boards
  const wanted = new Set(imageNames)
  for (const [key, names] of theGallery.queryClient.getQueriesData<readonly string[]>({
    queryKey: imageKeys.all(),
  })) {
    const boardId = key[2] === 'names' ? (key[1] as ImageView).boardId : null
    if (boardId === null) continue
    for (const name of names ?? []) {
      if (wanted.has(name) && !boards.has(name)) boards.set(name, boardId)
    }
  }
  return boards
}
