import { gallery } from './connection.ts'
import { boardNameOf } from './process-board.ts'
import { batchOf } from './process-graph.ts'
import type { WorkDeed } from './process-news.ts'
import type { Step } from './process-steps.ts'
import { enqueueAll, forgetIntermediates } from './process-work.ts'

/**
 * Puts images through a chain of steps; the results go to a board, `none` for uncategorized.
 *
 * @returns When the queue has taken them, or the first of them.
 * @throws {RefusedError | ConnectionError | UnknownSizeError} Nothing was put into the queue.
 */
export async function processImages(
  steps: readonly Step[],
  imageNames: readonly string[],
  boardId: string,
): Promise<void> {
  const images = await gallery.images.getMany(imageNames)
  if (images.length === 0) throw new Error('These images are not there any more.')
  const boardName = boardNameOf(boardId)
  const deed: WorkDeed = { kind: 'process', count: images.length, boardName }
  const work = await enqueueAll(deed, (from, to) => ({
    ...batchOf(steps, images.slice(from, to), { boardId }),
    origin: 'tessera',
    destination: `Process to ${boardName}`,
    runs: 1,
  }))
  void forgetIntermediates(work)
}
