import { SYSTEM_USER_ID } from '#contract/events.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { itemOfEvent } from './queue-items.ts'
import type { CanceledItem, ItemChange } from './queue-ports.ts'

/** Events sent per turn of the event loop, so that sockets can flush in between. */
const EVENTS_PER_TURN = 500

export const emitStatusChanged = (
  events: EventSink,
  { item, batch_status, queue_status }: ItemChange,
): void => {
  events.emit('queue_item_status_changed', {
    ...itemOfEvent(item),
    session_id: item.session_id,
    status: item.status,
    status_sequence: item.status_sequence,
    error_type: item.error_type,
    error_message: item.error_message,
    error_traceback: item.error_traceback,
    created_at: item.created_at,
    updated_at: item.updated_at,
    started_at: item.started_at,
    completed_at: item.completed_at,
    batch_status,
    queue_status,
  })
}

/** Emits that a session has ended, also after a failure or cancellation. */
export const emitSessionComplete = (
  events: EventSink,
  { item }: Pick<ItemChange, 'item'>,
): void => {
  const { queue_id, item_id, batch_id, session_id, status } = item
  events.emit('session_complete', { queue_id, item_id, batch_id, session_id, status })
}

/** Emits the final status of an item, and the end of its session. */
export const emitEnded = (events: EventSink, change: ItemChange): void => {
  emitStatusChanged(events, change)
  emitSessionComplete(events, change)
}

/** Emits one event for items canceled together, instead of one status event for each, as InvokeAI does. */
export const emitItemsCanceled = (
  events: EventSink,
  queueId: string,
  items: readonly CanceledItem[],
): void => {
  if (items.length === 0) return
  const canceled_item_ids = items.map(({ item_id }) => item_id)
  events.emit('queue_items_canceled', {
    queue_id: queueId,
    canceled_item_ids,
    user_ids: [SYSTEM_USER_ID],
    canceled_item_ids_by_user: { [SYSTEM_USER_ID]: canceled_item_ids },
  })
}

/** Emits `session_complete` for each canceled item, because a client may wait for its session. */
export const emitSessionsCanceled = async (
  events: EventSink,
  queueId: string,
  items: readonly CanceledItem[],
): Promise<void> => {
  for (const [index, item] of items.entries()) {
    if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await new Promise(setImmediate)
    events.emit('session_complete', { queue_id: queueId, ...item, status: 'canceled' })
  }
}
