export { InvalidUpstreamError } from '#server/upstream/upstream-address.ts'
export { createServer, type ServerOptions, type TesseraServer } from './app.ts'
export { StartError } from './start-error.ts'
export {
  createUpstreamServer,
  type UpstreamServer,
  type UpstreamServerOptions,
} from './upstream-server.ts'
