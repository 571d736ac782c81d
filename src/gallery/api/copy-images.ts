import type { Batch } from '#client/index.ts'
import { boardFieldOf, targetNameOf } from './process-board.ts'
import { tellWorkNews, type WorkDeed } from './process-news.ts'
import { enqueueAll } from './process-work.ts'
import { reasonOf } from './reason-of.ts'

/** Images of which only a rule may be known. */
export interface ImagesToCopy {
  readonly count: number
  /** @throws Where the server does not tell. */
  readonly names: () => Promise<readonly string[]>
}

/**
 * Copies images to a board; `none` for uncategorized. The queue makes the copies, under names of their own:
 * an image is on one board at most.
 */
export async function copyImages(images: ImagesToCopy, boardId: string): Promise<void> {
  const deed: WorkDeed = { kind: 'copy', count: images.count, boardName: targetNameOf(boardId) }
  try {
    const names = await images.names()
    await enqueueAll({ ...deed, count: names.length }, (from, to) =>
      copyBatch(names.slice(from, to), boardId),
    )
  } catch (error) {
    const retry = () => void copyImages(images, boardId)
    tellWorkNews({ kind: 'refused', deed, reason: reasonOf(error), retry })
  }
}

/** One run of one node for each image (wire 10.1). */
export function copyBatch(imageNames: readonly string[], boardId: string): Batch {
  const id = 'node-save'
  const node = {
    id,
    type: 'save_image',
    is_intermediate: false,
    use_cache: false,
    board: boardFieldOf(boardId),
  }
  const items = imageNames.map((image_name) => ({ image_name }))
  return {
    origin: 'tessera',
    destination: `Copy to ${targetNameOf(boardId)}`,
    data: [[{ node_path: id, field_name: 'image', items }]],
    graph: { id: 'workflow', nodes: { [id]: node }, edges: [] },
    runs: 1,
  }
}
