import { useSyncExternalStore } from 'react'
import { boardCache } from '#gallery/api/boards/board-queries.ts'
import { countTargets, type Entry } from '#gallery/api/outbox/outbox-state.ts'
import { worker } from '#gallery/api/outbox/outbox-steps.ts'

const subscribe = (onChange: () => void) => worker.subscribe(onChange)

/** Images that were sent to the trash, by themselves or with their board, which has not got them yet. */
export const usePendingTrashedImages = (): number =>
  useSyncExternalStore(subscribe, () =>
    pendingEntries().reduce((sum, entry) => sum + imagesOf(entry), 0),
  )

/** The same of boards. */
export const usePendingTrashedBoards = (): number =>
  useSyncExternalStore(subscribe, () =>
    countTargets(pendingEntries().filter(({ aspect }) => aspect === 'board_trashed')),
  )

/** What comes before an emptying of the trash goes with it. */
function pendingEntries(): Entry[] {
  const entries = worker.entries()
  const emptied = entries.findLastIndex(({ aspect }) => aspect === 'trash_emptied')
  return entries.slice(emptied + 1).filter(({ wanted }) => wanted !== false)
}

function imagesOf({ aspect, wanted, targets }: Entry): number {
  if (aspect === 'trashed') return targets.length
  if (aspect !== 'board_trashed' || wanted !== 'with images') return 0
  const counts = targets.map((boardId) => boardCache.boardOnServer(boardId)?.image_count ?? 0)
  return counts.reduce((sum, count) => sum + count, 0)
}
