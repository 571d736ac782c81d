import type { OpenFile } from '#client/boards/board-handle.ts'
import { BoardOperations } from '#client/boards/board-operations.ts'
import { BoardRepository } from '#client/boards/board-repository.ts'
import { ChangeOperations } from '#client/changes/change-operations.ts'
import type { OpenConnection } from '#client/events/event-connection.ts'
import {
  type EventSocketClass,
  openWebSocketConnection,
  type WebSocketOptions,
} from '#client/events/event-socket.ts'
import { EventStream, type EventStreamTiming } from '#client/events/event-stream.ts'
import { DownloadOperations } from '#client/images/download-operations.ts'
import { ImageOperations } from '#client/images/image-operations.ts'
import { ImportOperations } from '#client/images/import-operations.ts'
import { TrashOperations } from '#client/images/trash-operations.ts'
import { UploadOperations } from '#client/images/upload-operations.ts'
import { VideoOperations } from '#client/images/video-operations.ts'
import { DuplicateOperations } from '#client/likeness/duplicate-operations.ts'
import { ModelOperations } from '#client/queue/model-operations.ts'
import { QueueOperations } from '#client/queue/queue-operations.ts'
import { SearchOperations } from '#client/searches/search-operations.ts'
import { TagOperations } from '#client/tags/tag-operations.ts'
import { Http, type HttpOptions } from '#client/transport/http.ts'
import type { Pacer } from '#client/transport/pacer.ts'
import { AuthOperations } from './auth-operations.ts'
import { GalleryError } from './errors.ts'
import { ServerOperations } from './server-operations.ts'

/** Options of {@link connect}: the server's address, the transport, and access to files. */
export interface ConnectOptions extends HttpOptions {
  /** Opens files by path for `uploadImage`. In Node, pass `openFile` of `tessera-gallery-client/node`. */
  readonly openFile?: OpenFile | undefined
  /** Options of the event stream. */
  readonly events?: EventStreamOptions | undefined
}

/** Options of the event stream. */
export interface EventStreamOptions extends EventStreamTiming {
  /**
   * Name of this client, at most 100 characters. The server keeps one connection per name and closes the older
   * one. The default is a random name, so that several clients on one machine do not replace each other.
   */
  readonly clientId?: string | undefined
  /** True also receives `library_changed`, `imports_changed` and `searches_changed`. Requires the extension `changes`. Default: false. */
  readonly changes?: boolean | undefined
  /** The default is the platform's `WebSocket`. */
  readonly WebSocket?: EventSocketClass | undefined
}

/** The client of one server, a Tessera or an InvokeAI. */
export interface TesseraClient {
  /** Operations on boards as the specification defines them, and the source of board handles. */
  readonly boards: BoardRepository
  /** The plain board requests. They throw the server's refusals instead of returning null or false. */
  readonly boardOperations: BoardOperations
  /** Reads and changes images and views. */
  readonly images: ImageOperations
  /** Requires the extension `trash`. */
  readonly trash: TrashOperations
  /** Videos, which lie on the same boards as images. */
  readonly videos: VideoOperations
  /** Uploads images, one at a time or in batches. */
  readonly uploads: UploadOperations
  /** Downloads images as zip files. */
  readonly downloads: DownloadOperations
  /** Requires the extension `imports` and a server on the same machine. */
  readonly imports: ImportOperations
  /** Duplicates. Requires the extension `duplicates`. */
  readonly duplicates: DuplicateOperations
  /** Saved searches. Requires the extension `saved_searches`. */
  readonly searches: SearchOperations
  /** Tags of images and videos. Requires the extension `tags`. */
  readonly tags: TagOperations
  /** Tells what has changed in the library. Requires the extension `changes`. */
  readonly changes: ChangeOperations
  /** Version, capabilities and health of the server. */
  readonly server: ServerOperations
  /** Requires an InvokeAI in multi-user mode. */
  readonly auth: AuthOperations
  /** Requires a server that can run graphs: an InvokeAI, or a Tessera with an engine. */
  readonly models: ModelOperations
  /** Requires a server that can run graphs: an InvokeAI, or a Tessera with an engine. */
  readonly queue: QueueOperations
  /** Events of the server. The stream connects when the first listener is added. */
  readonly events: EventStream
  /** Delays requests to stay within the server's rate limits. */
  readonly pacer: Pacer
  /** Closes the event stream and aborts all calls, which then throw a `GalleryError`. So do later calls. */
  close(): void
  /** Calls {@link TesseraClient.close} at the end of the block of an `await using` declaration. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Creates a client of a server. It sends nothing before the first call.
 *
 * @example
 * const { boards } = connect({ baseUrl: 'http://127.0.0.1:9091' })
 * for (const board of await boards.listBoards()) console.log(board.board_name, board.image_count)
 */
export const connect = ({ openFile, events = {}, ...options }: ConnectOptions): TesseraClient => {
  const http = new Http(options)
  const server = new ServerOperations(http)
  const boardOperations = new BoardOperations(http, server)
  const videos = new VideoOperations(http)
  const images = new ImageOperations(http, server, videos)
  const uploads = new UploadOperations(http)
  const parts = { http, server, boards: boardOperations, images, videos, uploads, openFile }
  const { clientId = randomClientId(), changes, WebSocket } = events
  const createStream = (own: { clientId: string; changes?: boolean | undefined }) => {
    const openConnection = openConnectionTo(server, { ...options, ...own, WebSocket })
    return new EventStream(openConnection, events, () => assertWebSocket(WebSocket))
  }
  const stream = createStream({ clientId, changes })
  // An open stream cannot ask for changes later, so `watch` may need its own.
  const changeStream = changes
    ? stream
    : createStream({ clientId: randomClientId(), changes: true })
  const close = () => {
    stream.close()
    changeStream.close()
    http.close()
  }
  return {
    boards: new BoardRepository(parts),
    boardOperations,
    images,
    trash: new TrashOperations(http),
    videos,
    uploads,
    downloads: new DownloadOperations(http, server),
    imports: new ImportOperations(http),
    duplicates: new DuplicateOperations(http),
    searches: new SearchOperations(http),
    tags: new TagOperations(http),
    changes: new ChangeOperations(http, changeStream),
    server,
    auth: new AuthOperations(http, options.tokens),
    models: new ModelOperations(http),
    queue: new QueueOperations(http, stream),
    events: stream,
    pacer: http.pacer,
    close,
    [Symbol.asyncDispose]: async () => close(),
  }
}

/** Not `crypto.randomUUID`, which browsers have only on pages with HTTPS. */
const randomClientId = (): string => `client-${Math.random().toString(36).slice(2)}`

const assertWebSocket = (WebSocket: EventSocketClass | undefined): void => {
  if (WebSocket !== undefined || 'WebSocket' in globalThis) return
  throw new GalleryError('Events need a WebSocket: use Node 22 or later, or pass events.WebSocket')
}

/**
 * Opens a WebSocket to a Tessera and Socket.IO to an InvokeAI. Reads the capabilities at each attempt, because
 * the server may not have answered earlier ones.
 */
const openConnectionTo =
  (
    server: Pick<ServerOperations, 'capabilities'>,
    options: WebSocketOptions & Pick<HttpOptions, 'tokens'>,
  ): OpenConnection =>
  async (handlers, signal) => {
    const { server: kind } = await server.capabilities()
    if (signal.aborted) return
    if (kind === 'tessera') {
      openWebSocketConnection(options, handlers, signal)
      return
    }
    // Imported on demand, so that the page of a Tessera never loads Socket.IO.
    const { openSocketIoConnection } = await import('#client/events/event-socket-io.ts')
    await openSocketIoConnection(options, handlers, signal)
  }
