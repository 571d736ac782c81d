import type { QueryClient } from '@tanstack/react-query'
import type { Batch } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import { boardNameOf } from '#gallery/api/boards/board-queries.ts'
import { nodesOf, type PlannedNode } from './process-nodes.ts'
import { type SizePx, type Step, sizeAfter } from './process-steps.ts'

export type ProcessedImage = Pick<ImageRecord, 'image_name' | 'width' | 'height'>

/** The target of the results: a board, `none` for uncategorized, or a preview, which saves nothing. */
export type ProcessTarget = { readonly boardId: string } | 'preview'

export type ChainBatch = Required<Pick<Batch, 'graph' | 'data'>>

const METADATA_ID = 'metadata'

/**
 * Builds a batch with one item per image. All items share the graph. The batch `data` sets the inputs that differ: the
 * image, and the sizes that depend on it.
 *
 * @param steps - At least one.
 * @param images - At least one.
 * @throws {Error} A step after an upscale needs a size.
 */
export function batchOf(
  steps: readonly Step[],
  images: readonly ProcessedImage[],
  target: ProcessTarget,
): ChainBatch {
  const plans = images.map((image) => planOf(steps, image))
  const first = plans[0] ?? []
  const items = images.map(({ image_name }) => ({ image_name }))
  const data = [{ node_path: idOf(0), field_name: 'image', items }]
  const isSaved = target !== 'preview'
  // The result keeps the generation metadata of the image.
  if (isSaved) data.push({ node_path: METADATA_ID, field_name: 'image', items })
  const varying = first.flatMap(({ inputs }, at) =>
    Object.keys(inputs)
      .filter((name) => plans.some((plan) => plan[at]?.inputs[name] !== inputs[name]))
      .filter((name) => typeof inputs[name] === 'number')
      .map((name) => ({
        node_path: idOf(at),
        field_name: name,
        items: plans.map((plan) => Number(plan[at]?.inputs[name])),
      })),
  )
  return { graph: graphOf(first, target), data: [[...data, ...varying]] }
}

/** Connects the nodes in sequence. Only the result of the last one is saved. */
function graphOf(plan: readonly PlannedNode[], target: ProcessTarget): Batch['graph'] {
  const last = plan.length - 1
  const isSaved = target !== 'preview'
  const nodes = plan.map(({ type, inputs }, at) => ({
    id: idOf(at),
    type,
    is_intermediate: at < last || !isSaved,
    // A cached result would be an existing image, which may be deleted.
    use_cache: false,
    ...inputs,
    ...(at === last && isSaved && { board: boardFieldOf(target.boardId) }),
  }))
  const chain = plan.slice(1).map((_, at) => edge(idOf(at), idOf(at + 1), 'image'))
  if (!isSaved) return { id: 'process', nodes: byId(nodes), edges: chain }
  const reading = { id: METADATA_ID, type: 'metadata_from_image', use_cache: false }
  const edges = [...chain, edge(METADATA_ID, idOf(last), 'metadata')]
  return { id: 'process', nodes: byId([...nodes, reading]), edges }
}

function planOf(steps: readonly Step[], image: SizePx): PlannedNode[] {
  let size: SizePx | null = image
  return steps.flatMap((step) => {
    const nodes = nodesOf(step, size)
    size = sizeAfter(step, size)
    return nodes
  })
}

const idOf = (at: number): string => `step-${at + 1}`

const byId = <T extends { id: string }>(nodes: readonly T[]): Record<string, T> =>
  Object.fromEntries(nodes.map((node) => [node.id, node]))

/** Connects an output with the input of the same name. */
export const edge = (from: string, to: string, field: string) => ({
  source: { node_id: from, field },
  destination: { node_id: to, field },
})

export const targetNameOf = (queryClient: QueryClient, boardId: string): string =>
  boardNameOf(queryClient, boardId) ?? 'another board'

/** Returns the board input of a node; null for uncategorized. */
export const boardFieldOf = (boardId: string): { board_id: string } | null =>
  boardId === UNCATEGORIZED_BOARD_ID ? null : { board_id: boardId }
