export type { ServerOptions } from '#server/start/server-options.ts'
export { StartError } from '#server/start/start-error.ts'
export {
  createUpstreamServer,
  type UpstreamServer,
  type UpstreamServerOptions,
} from '#server/start/upstream-server.ts'
export { InvalidUpstreamError } from '#server/upstream/upstream-address.ts'
export { createServer, type TesseraServer } from './app.ts'
