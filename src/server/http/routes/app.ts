import { Readable } from 'node:stream'
import {
  fillDemoLibrary,
  getAppDeps,
  getAuthStatus,
  getCapabilities,
  getLoggingLevel,
  getPatchmatchStatus,
  getRereading,
  getRuntimeConfig,
  getVersion,
  INVOKEAI_VERSION,
} from '#contract/server/app-operations.ts'
import { checkLibrary, getHealth, getReadiness } from '#contract/server/health-operations.ts'
import { toLines } from '#server/http/bytes/send-in-pieces.ts'
import { isFromThisMachine } from '#server/http/guards/this-machine.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

/** Number of images in a demo library if the request gives no number. */
const DEFAULT_COUNT = 120

/** Version of InvokeAI's settings schema that the answer imitates. */
const SCHEMA_VERSION = '4.0.2'

/** Python's number of the log level `info`. */
const INFO = 20

export const appRoutes: readonly Route[] = [
  defineRoute(getVersion, async ({ about }) => ({
    version: INVOKEAI_VERSION,
    tessera: about.version,
  })),
  defineRoute(fillDemoLibrary, async ({ demo }, { query, reply }) => {
    const lines = toLines(demo.fill(query.image_count ?? DEFAULT_COUNT))
    return reply.code(200).type('application/x-ndjson').send(Readable.from(lines))
  }),
  // Only clients on this machine see the data folder and can import folders.
  defineRoute(getCapabilities, async ({ about }, { request }) => {
    if (isFromThisMachine(request)) return about
    const { data_folder: _, ...others } = about
    return { ...others, extensions: others.extensions.filter((name) => name !== 'imports') }
  }),
  defineRoute(checkLibrary, async ({ records }) => {
    await records.images.countIntermediates() // throws if the library cannot be read
  }),
  defineRoute(getReadiness, async ({ readiness }, { reply }) => {
    const answer = await readiness.check()
    return answer.status === 'ready' ? answer : reply.code(503).send(answer)
  }),
  defineRoute(getHealth, async ({ about, state }) => {
    const detail = state.text
    return { status: state.status, detail, version: about.version }
  }),
  defineRoute(getRereading, async ({ rereads }) => rereads.progress()),
  // `set_fields` is empty: settings are flags here, never values of a config file.
  defineRoute(getRuntimeConfig, async (_parts, { request: { socket } }) => ({
    set_fields: [],
    config: {
      schema_version: SCHEMA_VERSION,
      host: socket.localAddress ?? '127.0.0.1',
      port: socket.localPort ?? 0,
      multiuser: false,
    },
  })),
  defineRoute(getAppDeps, async ({ about }) => ({
    invokeai: INVOKEAI_VERSION,
    tessera: about.version,
    node: process.versions.node,
  })),
  defineRoute(getAuthStatus, async () => ({
    setup_required: false,
    multiuser_enabled: false,
    strict_password_checking: false,
    admin_email: null,
  })),
  defineRoute(getLoggingLevel, async () => INFO),
  defineRoute(getPatchmatchStatus, async () => false),
]
