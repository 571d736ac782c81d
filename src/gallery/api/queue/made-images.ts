import type { QueueItem } from '#client/index.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'

/** The images that a node gave: by themselves, or in lists. */
export function imageNamesOf(result: NodeOutput): string[] {
  return Object.values(result)
    .flat()
    .flatMap((field: unknown) =>
      typeof field === 'object' && field !== null && 'image_name' in field
        ? [String(field.image_name)]
        : [],
    )
}

/** The images that nodes of these items have made, only intermediate ones or only others. */
export const imageNamesIn = (items: readonly QueueItem[], isIntermediate: boolean): string[] =>
  items.flatMap(({ session: { results, execution_graph } }) =>
    Object.entries(results).flatMap(([id, result]) =>
      (execution_graph.nodes[id]?.is_intermediate ?? false) === isIntermediate
        ? imageNamesOf(result)
        : [],
    ),
  )
