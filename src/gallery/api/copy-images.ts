import type { QueryClient } from '@tanstack/react-query'
import type { Batch } from '#client/index.ts'
import type { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import type { OtherTabs } from '#gallery/api/connection/other-tabs.ts'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import { boardFieldOf, edge, targetNameOf } from '#gallery/api/process/process-graph.ts'
import { enqueueAll, type WorkApi } from '#gallery/api/process/process-work.ts'
import type { WorkAction } from '#gallery/api/process/work-events.ts'
import { reasonOf } from './reason-of.ts'
import type { Refresh } from './refresh.ts'

/** A few seconds of work. 50,000 images are ten requests, the limit for batch operations per minute. */
const IMAGES_PER_REQUEST = 5_000

/** Images to copy. Their names may have to be fetched first. */
export interface ImagesToCopy {
  readonly count: number
  /** @throws If the server does not answer. */
  readonly names: () => Promise<readonly string[]>
}

interface CopyApi extends WorkApi {
  readonly queryClient: QueryClient
  readonly capabilities: Pick<ServerCapabilities, 'has'>
  readonly refresh: Pick<Refresh, 'inSight'>
  readonly tabs: Pick<OtherTabs, 'notify'>
}

const copyAction = (api: CopyApi, count: number, boardId: string): WorkAction => ({
  kind: 'copy',
  count,
  boardName: targetNameOf(api.queryClient, boardId),
})

/** Copies images to a board, `none` for uncategorized. Toasts report progress, result and errors. */
export async function copyImages(
  api: CopyApi,
  images: ImagesToCopy,
  boardId: string,
): Promise<void> {
  const action = copyAction(api, images.count, boardId)
  let names: readonly string[]
  try {
    names = await images.names()
    if (!api.capabilities.has('copies')) {
      const ofAll = { ...action, count: names.length }
      await enqueueAll(api, ofAll, names.slice(0, 3), (from, to) =>
        copyBatch(names.slice(from, to), boardId, action.boardName),
      )
      return
    }
  } catch (error) {
    const retry = () => void copyImages(api, images, boardId)
    api.workEvents.emit({ kind: 'refused', action, reason: reasonOf(error), retry })
    return
  }
  // Names begin with the time of arrival, so copies arrive in the order of their originals.
  await copyNamed(api, names.toSorted(), boardId)
}

/** Copies images in parts on a server with the extension `copies`. */
async function copyNamed(api: CopyApi, names: readonly string[], boardId: string): Promise<void> {
  const action = { ...copyAction(api, names.length, boardId), noun: nounOfNames(names) }
  const copies: string[] = []
  const failed: string[] = []
  let done = 0
  let isCanceled = false
  let reason = 'They no longer exist, or their files are missing.'
  const cancel = () => {
    isCanceled = true
  }
  try {
    while (done < names.length && !isCanceled) {
      api.workEvents.emit({ kind: 'copying', action, done, cancel })
      const part = names.slice(done, done + IMAGES_PER_REQUEST)
      const result = await api.client.images.copy(part, boardId)
      copies.push(...result.copied_images.map(({ image_name }) => image_name))
      failed.push(...result.failed_images)
      done += part.length
      api.refresh.inSight()
      api.tabs.notify()
    }
  } catch (error) {
    reason = reasonOf(error)
    failed.push(...names.slice(done))
    // The answer may be lost although the copies were created.
    api.refresh.inSight()
  }
  if (copies.length > 0) tellCopied(api, action, copies)
  if (failed.length === 0) return
  const failedAction = copies.length === 0 ? action : { ...action, count: failed.length }
  const retry = () => void copyNamed(api, failed, boardId)
  api.workEvents.emit({ kind: 'refused', action: failedAction, reason, retry })
}

function tellCopied(api: CopyApi, action: WorkAction, copies: readonly string[]): void {
  const recipe = { kind: 'work', batchIds: [], itemIds: [], made: copies } as const
  const entry = api.journal.add({ action, thumbnails: copies.slice(0, 3), recipe }, null)
  api.journal.confirm(entry)
  const undo = () => void api.journal.undo(entry)
  api.workEvents.emit({ kind: 'copied', action, copiedCount: copies.length, undo })
}

/**
 * Builds a batch that copies images on an InvokeAI server, with one item per image. InvokeAI encodes the image again
 * and embeds the given metadata. Workflow, star and dates are lost.
 */
export function copyBatch(
  imageNames: readonly string[],
  boardId: string,
  boardName: string,
): Batch {
  const [saving, reading] = ['node-save', 'node-metadata']
  const items = imageNames.map((image_name) => ({ image_name }))
  const data = [saving, reading].map((node_path) => ({ node_path, field_name: 'image', items }))
  return {
    origin: 'tessera',
    destination: `Copy to ${boardName}`,
    data: [data],
    graph: {
      id: 'workflow',
      nodes: {
        [reading]: { id: reading, type: 'metadata_from_image', use_cache: false },
        [saving]: {
          id: saving,
          type: 'save_image',
          is_intermediate: false,
          use_cache: false,
          board: boardFieldOf(boardId),
        },
      },
      edges: [edge(reading, saving, 'metadata')],
    },
    runs: 1,
  }
}
