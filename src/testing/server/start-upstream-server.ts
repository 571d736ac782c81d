import { connect, type TesseraClient } from '#client/index.ts'
import {
  createUpstreamServer,
  type UpstreamServer,
  type UpstreamServerOptions,
} from '#server/start/upstream-server.ts'

/** A gallery in front of another server, in this process. */
export interface RunningUpstreamServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string
  readonly server: UpstreamServer
  readonly client: TesseraClient
  close(): Promise<void>
}

/** Starts a gallery in front of this server, on a free port. It probes the upstream often and has long timeouts. */
export async function startUpstreamServer(
  upstream: string,
  options: Partial<UpstreamServerOptions> = {},
): Promise<RunningUpstreamServer> {
  const watch = { everyMs: 200, soonMs: 100, slowMs: 10_000, downMs: 30_000, ...options.watch }
  const server = await createUpstreamServer({ ...options, watch, upstream })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, server, client: connect({ baseUrl: url }), close: () => server.close() }
}
