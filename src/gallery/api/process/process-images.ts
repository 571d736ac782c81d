import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { boardQueries } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { batchOf, targetNameOf } from './process-graph.ts'
import type { Step } from './process-steps.ts'
import { enqueueAll } from './process-work.ts'
import type { WorkAction } from './work-events.ts'

/** Thrown if the selected images, the target board or a model no longer exist. */
export class GoneError extends Error {
  override name = 'GoneError'
}

/**
 * Enqueues a chain of steps for images. The results are saved on a board, `none` for uncategorized. Images that no
 * longer exist are skipped and reported. If it throws, nothing was enqueued.
 *
 * @returns Resolves when the queue has accepted the first batch.
 * @throws {GoneError} The board, a model or all images no longer exist.
 * @throws {QueueFullError | RefusedError | ConnectionError | UnknownSizeError}
 */
export async function processImages(
  steps: readonly Step[],
  imageNames: readonly string[],
  boardId: string,
): Promise<void> {
  const boardName = targetNameOf(boardId)
  // InvokeAI accepts a graph with missing objects: it fails later, or saves to no board if the board is gone.
  const [images] = await Promise.all([
    stillThere(imageNames),
    assertBoard(boardId, boardName),
    assertModels(steps),
  ])
  const missing = imageNames.length - images.length
  const action: WorkAction = { kind: 'process', count: images.length, missing, boardName }
  await enqueueAll(action, (from, to) => ({
    ...batchOf(steps, images.slice(from, to), { boardId }),
    origin: 'tessera',
    destination: `Process to ${boardName}`,
    runs: 1,
  }))
}

async function stillThere(imageNames: readonly string[]): Promise<ImageRecord[]> {
  const images = await theGallery.client.images.getMany(imageNames)
  const there = images.filter(({ deleted_at }) => deleted_at == null)
  if (there.length > 0) return there
  throw new GoneError('These images no longer exist. Close this dialog and select others.')
}

async function assertBoard(boardId: string, boardName: string): Promise<void> {
  if ((await theGallery.client.boards.getBoardById(boardId)) !== null) return
  void theGallery.queryClient.invalidateQueries({ queryKey: boardQueries.all() })
  throw new GoneError(`The board ${boardName} no longer exists. Choose another one.`)
}

async function assertModels(steps: readonly Step[]): Promise<void> {
  const wanted = steps.flatMap((step) => (step.kind === 'upscale' ? [step.modelKey] : []))
  if (wanted.length === 0) return
  const there = await theGallery.queryClient.fetchQuery({ ...upscalersQuery, staleTime: 0 })
  if (wanted.every((wantedKey) => there.some(({ key }) => key === wantedKey))) return
  throw new GoneError('A model of these steps no longer exists. Choose another one.')
}

/** A model that enlarges images. */
export interface Upscaler {
  readonly key: string
  readonly name: string
}

/** The ONNX models of the server. */
const upscalersQuery = queryOptions({
  queryKey: ['upscalers'],
  queryFn: async ({ signal }): Promise<readonly Upscaler[]> => {
    const models = await theGallery.client.models.list({ modelFormat: 'onnx', signal })
    return models.filter(({ fault }) => !fault).map(({ key, name }) => ({ key, name }))
  },
})

const none: readonly Upscaler[] = []

/** Returns the ONNX models of the server; an empty list if it cannot run any, undefined while loading. */
export function useUpscalers(): readonly Upscaler[] | undefined {
  const enabled = useHasExtension('onnx_models')
  const { data } = useQuery({ ...upscalersQuery, enabled })
  return enabled ? data : none
}
