export { createServer, type ServerOptions, type TesseraServer } from './app.ts'
export { StartError } from './start-error.ts'
