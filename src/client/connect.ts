import type { OpenFile } from '#client/boards/board-handle.ts'
import { BoardOperations } from '#client/boards/board-operations.ts'
import { BoardRepository } from '#client/boards/board-repository.ts'
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
import { ModelOperations } from '#client/queue/model-operations.ts'
import { QueueOperations } from '#client/queue/queue-operations.ts'
import { Http, type HttpOptions } from '#client/transport/http.ts'
import type { Pacer } from '#client/transport/pacer.ts'
import { AuthOperations } from './auth-operations.ts'
import { ServerOperations } from './server-operations.ts'

/** Where a server is, how it is reached, and how files are opened. */
export interface ConnectOptions extends HttpOptions {
  /** Opens files by path for `uploadImage`; Node's is `openFile` of `tessera/node`. */
  readonly openFile?: OpenFile | undefined
  readonly events?: EventStreamOptions | undefined
}

/** How events are listened to. */
export interface EventStreamOptions extends EventStreamTiming {
  /**
   * What this client is called, at most 100 characters: a server keeps one line for each name, and for
   * all nameless ones of an address together (spec 8).
   */
  readonly clientId?: string | undefined
  /** Absent: the platform's own. */
  readonly WebSocket?: EventSocketClass | undefined
}

/** One server, a Tessera or an InvokeAI. */
export interface TesseraClient {
  /** The specification's operations on boards (spec 4.2) and the way to handles (spec 4.3). */
  readonly boards: BoardRepository
  /** The board calls as they are, with their refusals. */
  readonly boardOperations: BoardOperations
  readonly images: ImageOperations
  readonly trash: TrashOperations
  readonly uploads: UploadOperations
  readonly downloads: DownloadOperations
  /** For a server with the extension `imports`, on the same machine. */
  readonly imports: ImportOperations
  readonly server: ServerOperations
  /** For an InvokeAI in multi-user mode. */
  readonly auth: AuthOperations
  /** For a server with an engine, which InvokeAI is. */
  readonly models: ModelOperations
  /** For a server with an engine, which InvokeAI is. */
  readonly queue: QueueOperations
  /** What happens on the server (spec 6). Nothing is sent before somebody listens. */
  readonly events: EventStream
  /** What waits for the server's limits. */
  readonly pacer: Pacer
}

/**
 * Makes a client of a server. Nothing is sent before the first call.
 *
 * @example
 * const { boards } = connect({ baseUrl: 'http://127.0.0.1:9091' })
 * for (const board of await boards.listBoards()) console.log(board.board_name, board.image_count)
 */
export const connect = ({ openFile, events, ...options }: ConnectOptions): TesseraClient => {
  const http = new Http(options)
  const server = new ServerOperations(http)
  const boardOperations = new BoardOperations(http, server)
  const images = new ImageOperations(http, server)
  const uploads = new UploadOperations(http)
  const parts = { http, server, boards: boardOperations, images, uploads, openFile }
  return {
    boards: new BoardRepository(parts),
    boardOperations,
    images,
    trash: new TrashOperations(http),
    uploads,
    downloads: new DownloadOperations(http, server),
    imports: new ImportOperations(http),
    server,
    auth: new AuthOperations(http, options.tokens),
    models: new ModelOperations(http),
    queue: new QueueOperations(http),
    events: new EventStream(openConnectionTo(server, { ...options, ...events }), events),
    pacer: http.pacer,
  }
}

/** Opens the kind of line that the server has: asked at each attempt, since it may not have answered before. */
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
    // The page of a Tessera never loads it.
    const { openSocketIoConnection } = await import('#client/events/event-socket-io.ts')
    if (!signal.aborted) openSocketIoConnection(options, handlers, signal)
  }
