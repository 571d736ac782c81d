import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { boardQueries } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { gallery, queryClient } from '#gallery/api/connection/connection.ts'
import { batchOf, targetNameOf } from './process-graph.ts'
import type { Step } from './process-steps.ts'
import { enqueueAll } from './process-work.ts'
import type { WorkAction } from './work-events.ts'

/** What images were to be put through, or where to, has gone since a person chose it. */
export class GoneError extends Error {
  override name = 'GoneError'
}

/**
 * Puts images through a chain of steps; the results go to a board, `none` for uncategorized. Images that have gone
 * are left out, and told of.
 *
 * @returns When the queue has taken them, or the first of them.
 * @throws {GoneError} The board, a model or every image has gone. Nothing was put into the queue, as with all of these.
 * @throws {QueueFullError | RefusedError | ConnectionError | UnknownSizeError}
 */
export async function processImages(
  steps: readonly Step[],
  imageNames: readonly string[],
  boardId: string,
): Promise<void> {
  const boardName = targetNameOf(boardId)
  // A graph that names what is gone would be taken, and fail later or go elsewhere (wire 9.2).
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
  const images = await gallery.images.getMany(imageNames)
  const there = images.filter(({ deleted_at }) => deleted_at == null)
  if (there.length > 0) return there
  throw new GoneError('These images no longer exist. Close this dialog and select others.')
}

async function assertBoard(boardId: string, boardName: string): Promise<void> {
  if ((await gallery.boards.getBoardById(boardId)) !== null) return
  void queryClient.invalidateQueries({ queryKey: boardQueries.all() })
  throw new GoneError(`The board ${boardName} no longer exists. Choose another one.`)
}

async function assertModels(steps: readonly Step[]): Promise<void> {
  const wanted = steps.flatMap((step) => (step.kind === 'upscale' ? [step.modelKey] : []))
  if (wanted.length === 0) return
  const there = await queryClient.fetchQuery({ ...upscalersQuery, staleTime: 0 })
  if (wanted.every((wantedKey) => there.some(({ key }) => key === wantedKey))) return
  throw new GoneError('A model of these steps no longer exists. Choose another one.')
}

/** A model that can make an image larger. */
export interface Upscaler {
  readonly key: string
  readonly name: string
}

/** The ONNX models of the server. */
const upscalersQuery = queryOptions({
  queryKey: ['upscalers'],
  queryFn: async ({ signal }): Promise<readonly Upscaler[]> => {
    const models = await gallery.models.list({ modelFormat: 'onnx', signal })
    return models.filter(({ fault }) => !fault).map(({ key, name }) => ({ key, name }))
  },
})

const none: readonly Upscaler[] = []

/** The ONNX models of the server; none where it cannot run any; undefined until that is known. */
export function useUpscalers(): readonly Upscaler[] | undefined {
  const enabled = useHasExtension('onnx_models')
  const { data } = useQuery({ ...upscalersQuery, enabled })
  return enabled ? data : none
}
