import Type, { type Static, type TObject } from 'typebox'
import { ModelRecord } from '#contract/models/model.ts'
import { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import { BatchStatus, QueueItemStatus, SessionQueueStatus } from '#contract/queue/queue.ts'
import { Nullable, Timestamp } from './schema.ts'

/** Path of the WebSocket that sends frames `{event, data}`. */
export const EVENTS_PATH = '/ws'

/** Path of Socket.IO, which sends the same events. */
export const SOCKET_IO_PATH = '/ws/socket.io'

/** Close code of a WebSocket whose client opened a newer one. The client must not reconnect. */
export const REPLACED_CLOSE_CODE = 4001

/** Close code of a WebSocket whose client reads too slowly. It should read the state again to get what it missed. */
export const TOO_SLOW_CLOSE_CODE = 4002

/** Maximum number of WebSocket and Socket.IO connections per address. */
export const MAX_SOCKETS_PER_ADDRESS = 16

/** Query key for the client's name. The tabs and restarts of a named client count as one client. */
export const CLIENT_ID_KEY = 'client_id'

/** Query key of clients that want `library_changed`, `imports_changed` and `searches_changed`. */
export const CHANGES_KEY = 'changes'

/** Socket.IO room of all bulk downloads. */
export const BULK_DOWNLOAD_ID = 'default'

/** Owner of all records on a server without accounts. */
export const SYSTEM_USER_ID = 'system'

/** Query of a WebSocket request. */
export const EventsQuery = Type.Object({
  [CLIENT_ID_KEY]: Type.Optional(Type.String({ maxLength: 100 })),
  [CHANGES_KEY]: Type.Optional(
    Type.Boolean({
      description: 'Whether to send `library_changed`, `imports_changed` and `searches_changed`',
    }),
  ),
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
  invocation_source_id: Type.String({ description: 'ID of the node in the submitted graph' }),
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

/** Preview image of a running node. */
export const ProgressImage = Type.Object({
  width: Type.Integer({ description: 'Size of the unfinished image in pixels' }),
  height: Type.Integer(),
  dataURL: Type.String({ description: 'A small JPEG' }),
})
export type ProgressImage = Static<typeof ProgressImage>

/** Payload schemas of all events that this server sends. */
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
    user_id: Nullable(Type.String({ description: 'null for all' })),
  }),
  bulk_download_started: Type.Object(ofDownload),
  bulk_download_complete: Type.Object(ofDownload),
  bulk_download_error: Type.Object({ ...ofDownload, error: Type.String() }),
  /** Sent only to clients that ask for it with `changes=true`. */
  library_changed: Type.Object({
    ...timed,
    since: Type.String({ description: 'State before the changes' }),
    state: Type.String({ description: 'State after the changes' }),
    origin: Nullable(
      Type.String({ description: 'Origin of the requests; null for several, and for other work' }),
    ),
    images: Type.Integer({ description: 'Number of images that changed; 0 if it is not known' }),
    boards: Type.Integer({ description: 'Number of boards that changed, or whose images did' }),
  }),
  /** An import began, made progress or changed its state. Sent only to clients that ask for it with `changes=true`. */
  imports_changed: Type.Object(timed),
  /** A saved search was added, changed or deleted. Sent only to clients that ask for it with `changes=true`. */
  searches_changed: Type.Object(timed),
  model_load_started: Type.Object(ofModel),
  model_load_complete: Type.Object(ofModel),
} as const satisfies Record<string, TObject>

type PayloadsOf<Schemas extends Record<string, TObject>> = {
  [Name in keyof Schemas]: Static<Schemas[Name]>
}

/** The payload of each event. An interface: `Static` of a generic name takes TypeScript seconds to expand. */
interface EventPayloads extends PayloadsOf<typeof eventSchemas> {}

/** The name of an event. */
export type EventName = keyof EventPayloads

/** The payload of an event. */
export type EventData<Name extends EventName = EventName> = EventPayloads[Name]

/** An event as a WebSocket frame. `event` determines the type of `data`. */
export type ServerEvent = { [Name in EventName]: { event: Name; data: EventData<Name> } }[EventName]

/** The names of all events. */
export const eventNames = Object.keys(eventSchemas) as EventName[]
