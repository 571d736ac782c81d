import type { OpenLine } from './event-line.ts'
import { openRawLine, type RawLineOptions } from './event-socket.ts'
import type { HttpOptions } from './http.ts'
import type { ServerOperations } from './server-operations.ts'

/** Opens the kind of line that the server has: asked at each attempt, since it may not have answered before. */
export const lineTo =
  (
    server: Pick<ServerOperations, 'capabilities'>,
    options: RawLineOptions & Pick<HttpOptions, 'tokens'>,
  ): OpenLine =>
  async (handlers, signal) => {
    const { server: kind } = await server.capabilities()
    if (signal.aborted) return
    if (kind === 'tessera') {
      openRawLine(options, handlers, signal)
      return
    }
    // The page of a Tessera never loads it.
    const { openSocketIoLine } = await import('./event-socket-io.ts')
    if (!signal.aborted) openSocketIoLine(options, handlers, signal)
  }
