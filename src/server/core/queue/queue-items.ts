import type { Graph } from '#contract/queue/graph.ts'
import type { NodeFieldValue, QueueItem } from '#contract/queue/queue.ts'
import type { GraphEngine } from './engine-ports.ts'
import type { StoredItem, StoredItems } from './queue-ports.ts'

/** Converts stored items for the API. An unfinished item has the session of an item that has not run. */
export const queueItemsOf = (
  { items, batches }: StoredItems,
  engine: Pick<GraphEngine, 'newSession'>,
): QueueItem[] => {
  const known = new Map(
    batches.map(({ batch, graph, workflow }) => [
      batch,
      {
        graph: JSON.parse(graph) as Graph,
        workflow: workflow === null ? null : JSON.parse(workflow),
      },
    ]),
  )
  return items.map(({ batch: key, session, ...item }) => {
    const batch = known.get(key)
    if (batch === undefined) throw new Error(`item ${item.item_id} has no batch`)
    const graph = () => withFieldValues(batch.graph, item.field_values ?? [])
    return {
      ...item,
      session: session === null ? engine.newSession(item.session_id, graph()) : JSON.parse(session),
      workflow: batch.workflow,
    }
  })
}

export const withFieldValues = (graph: Graph, values: readonly NodeFieldValue[]): Graph => {
  const nodes = { ...graph.nodes }
  for (const { node_path, field_name, value } of values) {
    const node = nodes[node_path]
    if (node !== undefined) nodes[node_path] = { ...node, [field_name]: value }
  }
  return { ...graph, nodes }
}

/** Returns the item fields common to all queue events. */
export const itemOfEvent = (item: StoredItem) => ({
  queue_id: item.queue_id,
  item_id: item.item_id,
  batch_id: item.batch_id,
  origin: item.origin,
  destination: item.destination,
  user_id: item.user_id,
})
