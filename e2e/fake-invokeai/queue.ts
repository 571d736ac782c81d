import { randomUUID } from 'node:crypto'
import { InvalidRequest } from './fault.ts'
import { graphError, readGraph } from './graph.ts'
import { timestamp } from './library.ts'
import {
  countsOf,
  type Fault,
  type FieldValue,
  isFinal,
  newItem,
  type Status,
  type StoredItem,
} from './queue-item.ts'
import { missing } from './read-request.ts'
import type { Audience } from './sockets.ts'

/** Sends an event to its audience. */
export type Tell = (event: string, data: Record<string, unknown>, audience: Audience) => void

const MAX_PENDING = 10_000

/** All queues of the fake, in memory, with their events. They remain after a restart of the server. */
export class Queue {
  items: StoredItem[] = []
  isPaused = false
  /** Sends events. Events are dropped while no server runs. */
  tell: Tell = () => {}
  /** Called when an item is added or the running item has ended. */
  onChange = () => {}
  #lastId = 0

  enqueue(queueId: string, userId: string, body: Record<string, unknown>) {
    const batch = body.batch as Record<string, unknown> | undefined
    if (batch === undefined) throw new InvalidRequest([missing(['body', 'batch'], body)])
    const graph = readGraph(batch.graph)
    const runs = Number(batch.runs ?? 1)
    const batchId = String(batch.batch_id ?? randomUUID())
    const origin = (batch.origin ?? null) as string | null
    const destination = (batch.destination ?? null) as string | null
    const waiting = this.in(queueId).filter(({ status }) => status === 'pending')
    const highest = Math.max(0, ...waiting.map(({ priority }) => priority))
    const priority = body.prepend === true ? highest + 1 : 0
    const values = Array.from({ length: runs }, () => expand(batch.data, graph.nodes)).flat()
    const taken = values.slice(0, MAX_PENDING - waiting.length)
    const items = taken.map((fieldValues) => {
      const own = structuredClone(graph)
      for (const { node_path, field_name, value } of fieldValues)
        Object.assign(own.nodes[node_path] ?? {}, { [field_name]: value })
      this.#lastId += 1
      const common = { queueId, batchId, userId, priority, origin, destination, fieldValues }
      return newItem({ ...common, itemId: this.#lastId, graph: own })
    })
    this.items.push(...items)
    const data = { queue_id: queueId, batch_id: batchId, enqueued: items.length }
    this.tell(
      'batch_enqueued',
      { ...data, requested: values.length, priority, origin, user_id: userId },
      { userId },
    )
    this.onChange()
    return {
      queue_id: queueId,
      enqueued: items.length,
      requested: values.length,
      batch: {
        data: null,
        workflow: null,
        ...batch,
        batch_id: batchId,
        origin,
        destination,
        graph,
        runs,
      },
      priority,
      item_ids: items.map(({ item_id }) => item_id).reverse(),
    }
  }

  /** Returns the items of a queue, highest priority first, then oldest first. */
  in(queueId: string): StoredItem[] {
    return this.items
      .filter((item) => item.queue_id === queueId)
      .sort((a, b) => b.priority - a.priority || a.item_id - b.item_id)
  }

  current = (queueId: string) => this.in(queueId).find(({ status }) => status === 'in_progress')

  next = (queueId: string) => this.in(queueId).find(({ status }) => status === 'pending')

  statusOf(queueId: string) {
    const current = this.current(queueId)
    return {
      queue_id: queueId,
      item_id: current?.item_id ?? null,
      batch_id: current?.batch_id ?? null,
      session_id: current?.session_id ?? null,
      ...countsOf(this.in(queueId)),
      user_pending: null,
      user_in_progress: null,
    }
  }

  batchStatusOf(queueId: string, batchId: string) {
    const items = this.in(queueId).filter((item) => item.batch_id === batchId)
    const { origin = null, destination = null } = items[0] ?? {}
    return { queue_id: queueId, batch_id: batchId, origin, destination, ...countsOf(items) }
  }

  /** Changes the status of an item, unless it is final. */
  change(item: StoredItem, status: Status, fault?: Fault): void {
    if (!this.#set(item, status, fault)) return
    const { item_id, queue_id, batch_id, origin, destination, user_id } = item
    this.tell(
      'queue_item_status_changed',
      {
        ...{ queue_id, item_id, batch_id, origin, destination, user_id },
        status: item.status,
        status_sequence: item.status_sequence,
        error_type: item.error_type,
        error_message: item.error_message,
        error_traceback: item.error_traceback,
        created_at: item.created_at,
        updated_at: item.updated_at,
        started_at: item.started_at,
        completed_at: item.completed_at,
        batch_status: this.batchStatusOf(queue_id, batch_id),
        queue_status: this.statusOf(queue_id),
        session_id: item.session_id,
      },
      { userId: user_id },
    )
    this.onChange()
  }

  /** Cancels many items with one event. @returns The number of canceled items. */
  cancel(queueId: string, items: readonly StoredItem[]): number {
    const canceled = items.filter((item) => this.#set(item, 'canceled'))
    for (const [userId, of] of Map.groupBy(canceled, ({ user_id }) => user_id)) {
      const ids = of.map(({ item_id }) => item_id)
      const byUser = { canceled_item_ids_by_user: { [userId]: ids } }
      const data = { queue_id: queueId, canceled_item_ids: ids, user_ids: [userId], ...byUser }
      this.tell('queue_items_canceled', data, { userId })
    }
    this.onChange()
    return canceled.length
  }

  /** Deletes items and cancels active ones first. @returns The number of deleted items. */
  delete(items: readonly StoredItem[]): number {
    for (const item of items) if (item.status === 'in_progress') this.change(item, 'canceled')
    const gone = new Set(items)
    this.items = this.items.filter((item) => !gone.has(item))
    return gone.size
  }

  clear(queueId: string): number {
    const deleted = this.delete(this.in(queueId))
    this.tell('queue_cleared', { queue_id: queueId, user_id: null }, { room: queueId })
    return deleted
  }

  /** @returns The ids of the retried items, which had failed or were canceled. */
  retry(queueId: string, userId: string, itemIds: readonly number[]): number[] {
    const old = this.in(queueId).filter(
      ({ item_id, status }) =>
        itemIds.includes(item_id) && (status === 'failed' || status === 'canceled'),
    )
    for (const item of old) {
      this.#lastId += 1
      this.items.push(
        newItem({
          ...{ itemId: this.#lastId, queueId, batchId: item.batch_id, userId: item.user_id },
          ...{ priority: item.priority, origin: item.origin, destination: item.destination },
          graph: item.session.graph,
          fieldValues: item.field_values,
          retriedFrom: item.item_id,
        }),
      )
    }
    const ids = old.map(({ item_id }) => item_id)
    const byUser = { retried_item_ids_by_user: { [userId]: ids } }
    const data = { queue_id: queueId, retried_item_ids: ids, user_ids: [userId], ...byUser }
    this.tell('queue_items_retried', data, { userId })
    this.onChange()
    return ids
  }

  #set(item: StoredItem, status: Status, fault?: Fault): boolean {
    if (isFinal(item.status)) return false
    const now = timestamp()
    Object.assign(item, { status, updated_at: now, ...fault })
    item.status_sequence += 1
    if (status === 'in_progress') item.started_at = now
    if (isFinal(status)) item.completed_at = now
    return true
  }
}

interface Datum {
  node_path: string
  field_name: string
  items: unknown[]
}

/** Expands batch data: zips the items inside a group and multiplies the groups. The last group varies fastest. */
function expand(data: unknown, nodes: Record<string, unknown>): FieldValue[][] {
  let all: FieldValue[][] = [[]]
  for (const group of (data ?? []) as Datum[][]) {
    const lengths = new Set(group.map(({ items }) => items.length))
    if (lengths.size > 1)
      throw graphError(['data'], 'Zipped batch items must all have the same length')
    const [length = 0] = lengths
    for (const { node_path } of group)
      if (!(node_path in nodes)) throw graphError([], `Node ${node_path} not found in graph`)
    const rows = Array.from({ length }, (_, at) =>
      group.map(({ node_path, field_name, items }) => ({
        node_path,
        field_name,
        value: items[at],
      })),
    )
    all = all.flatMap((before) => rows.map((row) => [...before, ...row]))
  }
  return all
}
