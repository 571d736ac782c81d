import type { EventName } from '#contract/events.ts'
import type { EventSink, News } from '#server/core/events/event-hub.ts'

const user = { user_id: 'system' }
const queued = { queue_id: 'default' }
const session_id = '1f0f0f3e-4b0a-4a44-9d2b-6d6a3c1f8c55'
const item = {
  ...queued,
  ...user,
  item_id: 7,
  batch_id: 'a-batch',
  origin: null,
  destination: null,
}
const invocation = { id: 'prepared-1', type: 'save_image', is_intermediate: false, use_cache: true }
const invoked = { ...item, session_id, invocation, invocation_source_id: 'node-save' }
const counts = { pending: 0, in_progress: 1, waiting: 0, completed: 0, failed: 0, canceled: 0 }
const fault = { error_type: 'ValueError', error_message: 'No.', error_traceback: 'ValueError: No.' }
const download = {
  ...user,
  bulk_download_id: 'default',
  bulk_download_item_id: 'an-item',
  bulk_download_item_name: 'an-item.zip',
}
const config = {
  key: 'a-model',
  hash: 'blake3:00',
  path: 'up.onnx',
  file_size: 12,
  name: 'Up',
  description: null,
  source: 'up.onnx',
  source_type: 'path',
  source_api_response: null,
  source_url: null,
  cover_image: null,
  base: 'any',
  type: 'onnx',
  format: 'onnx',
}
const at = '2026-11-21 07:32:39.125'

/** Sample data for events of every kind, in the order in which a batch would emit them. */
export const sampleEvents: { [Name in EventName]: News<Name> } = {
  batch_enqueued: {
    ...queued,
    ...user,
    batch_id: 'a-batch',
    enqueued: 1,
    requested: 1,
    priority: 0,
    origin: null,
  },
  queue_item_status_changed: {
    ...item,
    session_id,
    status: 'in_progress',
    status_sequence: 1,
    error_type: null,
    error_message: null,
    error_traceback: null,
    created_at: at,
    updated_at: at,
    started_at: at,
    completed_at: null,
    batch_status: {
      ...queued,
      batch_id: 'a-batch',
      origin: null,
      destination: null,
      ...counts,
      total: 1,
    },
    queue_status: {
      ...queued,
      item_id: 7,
      batch_id: 'a-batch',
      session_id,
      ...counts,
      total: 1,
      user_pending: null,
      user_in_progress: null,
    },
  },
  session_complete: {
    ...queued,
    item_id: 7,
    batch_id: 'a-batch',
    session_id,
    status: 'completed',
  },
  invocation_started: invoked,
  invocation_progress: {
    ...invoked,
    message: 'Saving image',
    percentage: null,
    image: { width: 512, height: 512, dataURL: 'data:image/jpeg;base64,/9j/' },
    device: null,
  },
  invocation_complete: { ...invoked, result: { type: 'image_output' } },
  invocation_error: { ...invoked, ...fault },
  queue_items_canceled: {
    ...queued,
    canceled_item_ids: [7],
    user_ids: ['system'],
    canceled_item_ids_by_user: { system: [7] },
  },
  queue_items_retried: {
    ...queued,
    retried_item_ids: [8],
    user_ids: ['system'],
    retried_item_ids_by_user: { system: [8] },
  },
  queue_cleared: { ...queued, user_id: null },
  bulk_download_started: download,
  bulk_download_complete: download,
  bulk_download_error: { ...download, error: 'No.' },
  library_changed: {
    since: '1-a1b2c3',
    state: '2-d4e5f6',
    origin: null,
    images: 1,
    boards: 1,
  },
  imports_changed: {},
  searches_changed: {},
  model_load_started: { ...user, config, submodel_type: null },
  model_load_complete: { ...user, config, submodel_type: null },
}

/** Emits all sample events. */
export function emitAll(events: EventSink): void {
  for (const name of eventNamesOf(sampleEvents)) events.emit(name, sampleEvents[name])
}

const eventNamesOf = (news: typeof sampleEvents) => Object.keys(news) as EventName[]
