import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useClient } from '#gallery/api/parts.ts'
import { batchOf, targetNameOf } from './process-graph.ts'
import type { Step } from './process-steps.ts'
import { enqueueAll, type WorkApi } from './process-work.ts'
import type { WorkAction } from './work-events.ts'

interface ProcessApi extends WorkApi {
  readonly client: Pick<TesseraClient, 'boards' | 'images' | 'models' | 'queue'>
  readonly queryClient: QueryClient
}

/**
 * Enqueues a chain of steps for images. The results are saved on a board, `none` for uncategorized. Images that no
 * longer exist are skipped and reported. If it throws, nothing was enqueued.
 *
 * @returns Resolves when the queue has accepted the first batch.
 * @throws {Error} The board, a model or all images no longer exist.
 * @throws {QueueFullError | RefusedError | ConnectionError}
 */
export async function processImages(
  api: ProcessApi,
  steps: readonly Step[],
  imageNames: readonly string[],
  boardId: string,
): Promise<void> {
  const boardName = targetNameOf(api.queryClient, boardId)
  // InvokeAI accepts a graph with missing objects: it fails later, or saves to no board if the board is gone.
  const [images] = await Promise.all([
    stillThere(api, imageNames),
    assertBoard(api, boardId),
    assertModels(api, steps),
  ])
  const missing = imageNames.length - images.length
  const action: WorkAction = { kind: 'process', count: images.length, missing, boardName }
  const thumbnails = images.slice(0, 3).map(({ image_name }) => image_name)
  await enqueueAll(api, action, thumbnails, (from, to) => ({
    ...batchOf(steps, images.slice(from, to), { boardId }),
    origin: 'tessera',
    destination: `Process to ${boardName}`,
    runs: 1,
  }))
}

async function stillThere(api: ProcessApi, imageNames: readonly string[]): Promise<ImageRecord[]> {
  const images = await api.client.images.getMany(imageNames)
  const there = images.filter(({ deleted_at }) => deleted_at == null)
  if (there.length > 0) return there
  throw new Error('These images no longer exist. Close this dialog and select others.')
}

async function assertBoard(api: ProcessApi, boardId: string): Promise<void> {
  if ((await api.client.boards.getBoardById(boardId)) !== null) return
  // The page may have heard of the deletion already, and then no longer knows the name.
  const name = boardNameOf(api.queryClient, boardId)
  const board = name === undefined ? 'The chosen board' : `The board ${name}`
  void api.queryClient.invalidateQueries({ queryKey: boardKeys.all() })
  throw new Error(`${board} no longer exists. Choose another one.`)
}

async function assertModels(api: ProcessApi, steps: readonly Step[]): Promise<void> {
  const wanted = steps.flatMap((step) => (step.kind === 'upscale' ? [step.modelKey] : []))
  if (wanted.length === 0) return
  const there = await api.queryClient.fetchQuery({ ...upscalersQuery(api.client), staleTime: 0 })
  if (wanted.every((wantedKey) => there.some(({ key }) => key === wantedKey))) return
  throw new Error('A model of these steps no longer exists. Choose another one.')
}

/** A model that enlarges images. */
export interface Upscaler {
  readonly key: string
  readonly name: string
}

const upscalersQuery = ({ models }: Pick<TesseraClient, 'models'>) =>
  queryOptions({
    queryKey: ['upscalers'],
    queryFn: async ({ signal }): Promise<readonly Upscaler[]> => {
      const all = await models.list({ modelFormat: 'onnx', signal })
      return all.filter(({ fault }) => !fault).map(({ key, name }) => ({ key, name }))
    },
  })

const none: readonly Upscaler[] = []

/** Returns the ONNX models of the server; an empty list if it cannot run any, undefined while loading. */
export function useUpscalers(): readonly Upscaler[] | undefined {
  const enabled = useHasExtension('onnx_models')
  const client = useClient()
  const { data } = useQuery({ ...upscalersQuery(client), enabled })
  return enabled ? data : none
}
