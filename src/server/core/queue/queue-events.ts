import { SYSTEM_USER_ID } from '#contract/events.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { itemOfEvent } from './queue-items.ts'
import type { CanceledItem, ItemChange } from './queue-ports.ts'

/** So many events are sent in one turn; a socket gets rid of them before the next. */
const EVENTS_PER_TURN = 500

/** Tells that an item's status has changed. */
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

/** Tells that a session has ended (wire 11, row 13). */
export const emitSessionComplete = (
  events: EventSink,
  { item }: Pick<ItemChange, 'item'>,
): void => {
  const { queue_id, item_id, batch_id, session_id, status } = item
  events.emit('session_complete', { queue_id, item_id, batch_id, session_id, status })
}

/** Tells of items that were canceled together, in place of one status event for each (wire 6). */
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

/** Tells of each that its session will not run. Whoever waits for one hears of it, however it was canceled. */
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
