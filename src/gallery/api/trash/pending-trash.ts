import { BoardCache } from '#gallery/api/boards/board-cache.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { useSource } from '#gallery/api/listeners.ts'
import { countTargets, type Entry } from '#gallery/api/outbox/outbox-state.ts'
import { OutboxWorker } from '#gallery/api/outbox/outbox-worker.ts'
import { usePart } from '#gallery/api/parts.ts'

/** Returns the number of images on their way to the trash, alone or with their board. */
export function usePendingTrashedImages(): number {
  const worker = usePart(OutboxWorker)
  const boardCache = usePart(BoardCache)
  return useSource(worker, () =>
    pendingEntries(worker).reduce((sum, entry) => sum + imagesOf(entry, boardCache), 0),
  )
}

export function usePendingTrashedBoards(): number {
  const worker = usePart(OutboxWorker)
  return useSource(worker, () =>
    countTargets(pendingEntries(worker).filter(({ aspect }) => aspect === 'board_trashed')),
  )
}

/** Returns the pending entries after the last emptying of the trash, which deletes all earlier ones. */
function pendingEntries(worker: OutboxWorker): Entry[] {
  const entries = worker.entries()
  const emptied = entries.findLastIndex(({ aspect }) => aspect === 'trash_emptied')
  return entries
    .slice(emptied + 1)
    .filter(({ aspect, wanted }) => (aspect === 'trashed' ? wanted === true : wanted !== false))
}

function imagesOf({ aspect, wanted, targets }: Entry, { boards }: BoardCache): number {
  if (aspect === 'trashed') return targets.length
  if (aspect !== 'board_trashed' || wanted !== 'with images') return 0
  const onServer = boards.onServer() ?? []
  return onServer
    .filter(({ board_id }) => targets.includes(board_id))
    .reduce((sum, board) => sum + itemCountOf(board), 0)
}
