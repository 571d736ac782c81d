import { getRuntimeConfig } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

/** The version of InvokeAI's settings whose form this is. */
const SCHEMA_VERSION = '4.0.2'

/** Settings here are flags: none is read from a file. */
export const getRuntimeConfigRoute = defineRoute(
  getRuntimeConfig,
  async (_parts, { request: { socket } }) => ({
    set_fields: [],
    config: {
      schema_version: SCHEMA_VERSION,
      host: socket.localAddress ?? '127.0.0.1',
      port: socket.localPort ?? 0,
    },
  }),
)
