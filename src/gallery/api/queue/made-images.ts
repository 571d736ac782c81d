import type { QueueItem } from '#client/index.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'

/** Returns the image names in the output of a node, from single fields and lists. */
export function imageNamesOf(result: NodeOutput): string[] {
  return Object.values(result)
    .flat()
    .flatMap((field: unknown) =>
      typeof field === 'object' && field !== null && 'image_name' in field
        ? [String(field.image_name)]
        : [],
    )
}

/** Returns the images that queue items have created: either only the intermediate ones, or only the others. */
export const imageNamesIn = (items: readonly QueueItem[], isIntermediate: boolean): string[] =>
  items.flatMap(({ session: { results, execution_graph } }) =>
    Object.entries(results).flatMap(([id, result]) =>
      (execution_graph.nodes[id]?.is_intermediate ?? false) === isIntermediate
        ? imageNamesOf(result)
        : [],
    ),
  )
