import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useSource } from '#gallery/api/listeners.ts'
import { countTargets, type Entry } from '#gallery/api/outbox/outbox-state.ts'

/** Returns the number of images on their way to the trash, alone or with their board. */
export function usePendingTrashedImages(): number {
  const { outbox, boardCache } = useGallery()
  return useSource(outbox.worker, () =>
    pendingEntries(outbox).reduce((sum, entry) => sum + imagesOf(entry, boardCache), 0),
  )
}

export function usePendingTrashedBoards(): number {
  const { outbox } = useGallery()
  return useSource(outbox.worker, () =>
    countTargets(pendingEntries(outbox).filter(({ aspect }) => aspect === 'board_trashed')),
  )
}

/** Returns the pending entries after the last emptying of the trash, which deletes all earlier ones. */
function pendingEntries(outbox: GalleryApi['outbox']): Entry[] {
  const entries = outbox.worker.entries()
  const emptied = entries.findLastIndex(({ aspect }) => aspect === 'trash_emptied')
  return entries
    .slice(emptied + 1)
    .filter(({ aspect, wanted }) => (aspect === 'trashed' ? wanted === true : wanted !== false))
}

function imagesOf(
  { aspect, wanted, targets }: Entry,
  { boards }: GalleryApi['boardCache'],
): number {
  if (aspect === 'trashed') return targets.length
  if (aspect !== 'board_trashed' || wanted !== 'with images') return 0
  const onServer = boards.onServer() ?? []
  const counts = targets.map(
    (boardId) => onServer.find(({ board_id }) => board_id === boardId)?.image_count ?? 0,
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
