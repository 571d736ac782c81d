import { useSyncExternalStore } from 'react'
import { boardCache } from '#gallery/api/boards/board-queries.ts'
import { countTargets, type Entry } from '#gallery/api/outbox/outbox-state.ts'
import { worker } from '#gallery/api/outbox/outbox-steps.ts'

const subscribe = (onChange: () => void) => worker.subscribe(onChange)

/** Returns the number of images on their way to the trash, alone or with their board. */
export const usePendingTrashedImages = (): number =>
  useSyncExternalStore(subscribe, () =>
    pendingEntries().reduce((sum, entry) => sum + imagesOf(entry), 0),
  )

/** Returns the number of boards on their way to the trash. */
export const usePendingTrashedBoards = (): number =>
  useSyncExternalStore(subscribe, () =>
    countTargets(pendingEntries().filter(({ aspect }) => aspect === 'board_trashed')),
  )

/** Returns the pending entries after the last emptying of the trash, which deletes all earlier ones. */
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
