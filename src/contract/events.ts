import Type, { type Static, type TObject } from 'typebox'
import { ModelRecord } from '#contract/models/model.ts'
import { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import { BatchStatus, QueueItemStatus, SessionQueueStatus } from '#contract/queue/queue.ts'
import { Nullable, Timestamp } from './schema.ts'

/** Where raw frames `{event, data}` are sent (spec 6). */
export const EVENTS_PATH = '/ws'

/** Where Socket.IO sends the same events (wire 6). */
export const SOCKET_IO_PATH = '/ws/socket.io'

/** The code that closes a raw socket whose client opened a newer one. It is not to be opened again (design 4). */
export const REPLACED_CLOSE_CODE = 4001

/** The code that closes a raw socket whose reader did not keep up. What it missed is to be asked for. */
export const TOO_SLOW_CLOSE_CODE = 4002

/** Sockets that one address may hold, of whatever kind (design 4). */
export const MAX_SOCKETS_PER_ADDRESS = 16

/** The query key by which a client names itself, so that its tabs and restarts count as one (design 4). */
export const CLIENT_ID_KEY = 'client_id'

/** The room of every bulk download (wire 6). */
export const BULK_DOWNLOAD_ID = 'default'

/** Whose everything is, where there are no accounts (wire 7). */
export const SYSTEM_USER_ID = 'system'

/** What a request for a socket may carry. */
export const EventsQuery = Type.Object({
  [CLIENT_ID_KEY]: Type.Optional(Type.String({ maxLength: 100 })),
})
export type EventsQuery = Static<typeof EventsQuery>

const timed = { timestamp: Type.Integer({ description: 'Seconds since 1970' }) }
const queued = { ...timed, queue_id: Type.String() }
const user = { user_id: Type.String({ examples: ['system'] }) }
const ofItem = {
  ...queued,
  ...user,
  item_id: Type.Integer(),
  batch_id: Type.String(),
  origin: Nullable(Type.String()),
  destination: Nullable(Type.String()),
}
const ofInvocation = {
  ...ofItem,
  session_id: Type.String(),
  invocation: GraphNode,
  invocation_source_id: Type.String({ description: 'The id of the node in the submitted graph' }),
}
const fault = {
  error_type: Type.String(),
  error_message: Type.String(),
  error_traceback: Type.String(),
}
const ofDownload = {
  ...timed,
  ...user,
  bulk_download_id: Type.String({ examples: ['default'] }),
  bulk_download_item_id: Type.String(),
  bulk_download_item_name: Type.String(),
}
const ofModel = { ...timed, ...user, config: ModelRecord, submodel_type: Nullable(Type.String()) }
const idsByUser = Type.Record(Type.String(), Type.Array(Type.Integer()))

/** A picture of how far a node is. */
export const ProgressImage = Type.Object({
  width: Type.Integer({ description: 'Pixels of the picture that is being made' }),
  height: Type.Integer(),
  dataURL: Type.String({ description: 'A small JPEG' }),
})
export type ProgressImage = Static<typeof ProgressImage>

/** Every event that this server sends, with what it carries (spec 6, wire 6). */
export const eventSchemas = {
  batch_enqueued: Type.Object({
    ...queued,
    ...user,
    batch_id: Type.String(),
    enqueued: Type.Integer(),
    requested: Type.Integer(),
    priority: Type.Integer(),
    origin: Nullable(Type.String()),
  }),
  queue_item_status_changed: Type.Object({
    ...ofItem,
    session_id: Type.String(),
    status: QueueItemStatus,
    status_sequence: Nullable(Type.Integer()),
    error_type: Nullable(Type.String()),
    error_message: Nullable(Type.String()),
    error_traceback: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    started_at: Nullable(Timestamp),
    completed_at: Nullable(Timestamp),
    batch_status: BatchStatus,
    queue_status: SessionQueueStatus,
  }),
  session_complete: Type.Object({
    ...queued,
    item_id: Type.Integer(),
    batch_id: Type.String(),
    session_id: Type.String(),
    status: QueueItemStatus,
  }),
  invocation_started: Type.Object(ofInvocation),
  invocation_progress: Type.Object({
    ...ofInvocation,
    message: Type.String(),
    percentage: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    image: Nullable(ProgressImage),
    device: Nullable(Type.String()),
  }),
  invocation_complete: Type.Object({ ...ofInvocation, result: NodeOutput }),
  invocation_error: Type.Object({ ...ofInvocation, ...fault }),
  queue_items_canceled: Type.Object({
    ...queued,
    canceled_item_ids: Type.Array(Type.Integer()),
    user_ids: Type.Array(Type.String()),
    canceled_item_ids_by_user: idsByUser,
  }),
  queue_items_retried: Type.Object({
    ...queued,
    retried_item_ids: Type.Array(Type.Integer()),
    user_ids: Type.Array(Type.String()),
    retried_item_ids_by_user: idsByUser,
  }),
  queue_cleared: Type.Object({
    ...queued,
    user_id: Nullable(Type.String({ description: 'null: everything' })),
  }),
  bulk_download_started: Type.Object(ofDownload),
  bulk_download_complete: Type.Object(ofDownload),
  bulk_download_error: Type.Object({ ...ofDownload, error: Type.String() }),
  model_load_started: Type.Object(ofModel),
  model_load_complete: Type.Object(ofModel),
} as const satisfies Record<EventName, TObject>

type Schemas = typeof eventSchemas

/** The payload of each event. An interface: `Static` of a generic name takes TypeScript seconds to expand. */
interface EventPayloads {
  batch_enqueued: Static<Schemas['batch_enqueued']>
  queue_item_status_changed: Static<Schemas['queue_item_status_changed']>
  session_complete: Static<Schemas['session_complete']>
  invocation_started: Static<Schemas['invocation_started']>
  invocation_progress: Static<Schemas['invocation_progress']>
  invocation_complete: Static<Schemas['invocation_complete']>
  invocation_error: Static<Schemas['invocation_error']>
  queue_items_canceled: Static<Schemas['queue_items_canceled']>
  queue_items_retried: Static<Schemas['queue_items_retried']>
  queue_cleared: Static<Schemas['queue_cleared']>
  bulk_download_started: Static<Schemas['bulk_download_started']>
  bulk_download_complete: Static<Schemas['bulk_download_complete']>
  bulk_download_error: Static<Schemas['bulk_download_error']>
  model_load_started: Static<Schemas['model_load_started']>
  model_load_complete: Static<Schemas['model_load_complete']>
}

/** The name of an event. */
export type EventName = keyof EventPayloads

/** The payload of an event. */
export type EventData<Name extends EventName = EventName> = EventPayloads[Name]

/** An event as a raw frame (spec 6). `event` tells what `data` is. */
export type ServerEvent = { [Name in EventName]: { event: Name; data: EventData<Name> } }[EventName]

/** The names of all events. */
export const eventNames = Object.keys(eventSchemas) as EventName[]
