import Type, { type Static } from 'typebox'
import { INVOKEAI_LIMITS, THUMBNAIL_SIZES } from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'

const define = operationsOf({ tag: 'app' })

/** Version of InvokeAI whose API and events this server speaks. Clients check it before they start. */
export const INVOKEAI_VERSION = '6.14.2'

export const AppVersion = Type.Object({
  version: Type.String({ description: 'Of InvokeAI, whose API this is' }),
  tessera: Type.Optional(Type.String({ description: 'Version of Tessera. Absent in InvokeAI' })),
})
export type AppVersion = Static<typeof AppVersion>

/** Names of this server's extensions to InvokeAI's API. */
export const Extension = Type.Enum([
  'archives',
  'batch_upload',
  'board_description',
  'board_last_added',
  'board_position',
  'board_starred',
  'changes',
  'copies',
  'demo_library',
  'download_options',
  'duplicates',
  'image_days',
  'image_details',
  'image_insights',
  'image_metadata_by_names',
  'image_orders',
  'image_position',
  'image_ratios',
  'starred_filter',
  'imports',
  'item_kinds',
  'likeness',
  'onnx_models',
  'ordered_image_names',
  'playable_copies',
  'query',
  'rereading',
  'resumable_uploads',
  'ratings',
  'saved_searches',
  'search_conditions',
  'tags',
  'thumbnail_sizes',
  'trash',
  'video_covers',
  'video_durations',
  'video_posters',
  'video_strips',
])
export type Extension = Static<typeof Extension>

/** A Tessera that forwards the API and events of another server (`--upstream`). */
export const Front = Type.Object({
  server: Type.Enum(['tessera']),
  version: Type.String(),
  upstream: Type.String({ examples: ['http://127.0.0.1:9090'] }),
})
export type Front = Static<typeof Front>

/** Value of `version` for an upstream that has not answered yet. */
export const UNKNOWN_VERSION = 'unknown'

/** Kind of the server, its extensions, and its limits (extension). InvokeAI has no such path. */
export const Capabilities = Type.Object({
  server: Type.String({
    examples: ['tessera', 'invokeai'],
    description: 'The server whose API and events these are',
  }),
  version: Type.String({ description: `Of that server; \`${UNKNOWN_VERSION}\` until it answers` }),
  front: Type.Optional(Front),
  extensions: Type.Array(Extension),
  thumbnail_sizes: Type.Array(Type.Integer(), {
    description: `Longest sides, such as ${THUMBNAIL_SIZES.join(', ')}`,
  }),
  limits: Type.Object({
    requests_per_minute: Type.Union([Type.Integer(), Type.Null()], {
      description: 'null without a limit',
    }),
    batch_requests_per_minute: Type.Union([Type.Integer(), Type.Null()], {
      description: 'null without a limit',
    }),
    max_upload_bytes: Type.Integer({ description: `${Number.MAX_SAFE_INTEGER} if unknown` }),
    max_video_bytes: Type.Optional(
      Type.Integer({ description: 'Absent: the server takes no videos' }),
    ),
    max_pixels: Type.Integer({ description: `${Number.MAX_SAFE_INTEGER} if unknown` }),
    max_names_per_request: Type.Integer(),
    max_rows_per_request: Type.Optional(Type.Integer({ description: 'Absent without a limit' })),
    max_name_length: Type.Optional(
      Type.Integer({
        description: 'Maximum length of an image name in a list. Absent without a limit',
      }),
    ),
    max_files_per_batch: Type.Integer(),
  }),
  trash_days: Type.Integer(),
  data_folder: Type.Optional(
    Type.String({ description: 'Folder of the images. Only for clients on the same machine' }),
  ),
})
export type Capabilities = Static<typeof Capabilities>

/** State of accounts. This server has none. */
const AuthStatus = Type.Object({
  setup_required: Type.Boolean(),
  multiuser_enabled: Type.Boolean(),
  strict_password_checking: Type.Boolean(),
  admin_email: Type.Union([Type.String(), Type.Null()]),
})

/** One line of the response to `fillDemoLibrary`: number of images so far, and the total. */
export const DemoProgress = Type.Object({
  done: Type.Integer(),
  total: Type.Integer(),
})
export type DemoProgress = Static<typeof DemoProgress>

export const getVersion = define('GET', '/api/v1/app/version', {
  operationId: 'app_version',
  summary: 'Returns the version of InvokeAI whose API the server speaks, and its own',
  answers: { 200: AppVersion },
})

export const getCapabilities = define('GET', '/api/v1/app/capabilities', {
  operationId: 'app_capabilities',
  summary: 'Returns the name of the server, its extensions to InvokeAI and its limits',
  answers: { 200: Capabilities },
  extension: true,
})

export const getAuthStatus = define('GET', '/api/v1/auth/status', {
  operationId: 'auth_status',
  summary: 'Returns whether the server has accounts',
  answers: { 200: AuthStatus },
})

/** Configuration of the server, which InvokeAI's web page reads when it starts. */
const RuntimeConfig = Type.Object({
  set_fields: Type.Array(Type.String()),
  config: Type.Object({
    schema_version: Type.String(),
    host: Type.String(),
    port: Type.Integer(),
    multiuser: Type.Boolean(),
  }),
})

export const getRuntimeConfig = define('GET', '/api/v1/app/runtime_config', {
  operationId: 'get_runtime_config',
  summary: 'Returns the settings of the server',
  answers: { 200: RuntimeConfig },
})

export const getAppDeps = define('GET', '/api/v1/app/app_deps', {
  operationId: 'get_app_deps',
  summary: 'Returns the versions of the runtime',
  answers: { 200: Type.Record(Type.String(), Type.String()) },
})

export const getPatchmatchStatus = define('GET', '/api/v1/app/patchmatch_status', {
  operationId: 'get_patchmatch_status',
  summary: 'Returns whether PatchMatch is available: always false',
  answers: { 200: Type.Boolean() },
})

export const getLoggingLevel = define('GET', '/api/v1/app/logging', {
  operationId: 'get_log_level',
  summary: "Returns the log level as a number of Python's logging module",
  answers: { 200: Type.Integer({ examples: [20] }) },
})

export const fillDemoLibrary = define('POST', '/api/v1/app/demo_library', {
  operationId: 'fill_demo_library',
  summary:
    'Creates a demo library and returns a JSON line (`DemoProgress`) for each image. Closing the connection stops it',
  query: Type.Object({
    image_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 120 })),
  }),
  answers: { 200: DemoProgress },
  mediaType: 'application/x-ndjson',
  refusals: ['disk_full'],
  limit: 'batch',
  extension: true,
})

/** Progress of reading the metadata of images again after an update, in images (extension). */
export const Rereading = Type.Object({
  done: Type.Integer({ minimum: 0, description: 'Since the server started' }),
  total: Type.Integer({ minimum: 1 }),
})
export type Rereading = Static<typeof Rereading>

export const getRereading = define('GET', '/api/v1/app/rereading', {
  operationId: 'app_rereading',
  summary:
    'Returns how many images have their metadata read again by a newer reader, or null if all are up to date',
  answers: { 200: Nullable(Rereading) },
  limit: 'poll',
  extension: true,
})

/** InvokeAI has videos since 6.14. */
const hasVideos = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 6 || (major === 6 && minor >= 14)
}

/**
 * Returns the capabilities of a server without a capabilities operation: an InvokeAI, without extensions and
 * rate limits. Older versions accept longer lists, but 6.14.2 refuses them.
 */
export const invokeAiCapabilities = (version: string): Capabilities => ({
  server: 'invokeai',
  version,
  extensions: [],
  thumbnail_sizes: [],
  limits: {
    requests_per_minute: null,
    batch_requests_per_minute: null,
    max_upload_bytes: Number.MAX_SAFE_INTEGER,
    ...(hasVideos(version) && { max_video_bytes: INVOKEAI_LIMITS.videoBytes }),
    max_pixels: Number.MAX_SAFE_INTEGER,
    max_names_per_request: INVOKEAI_LIMITS.namesPerRequest,
    max_rows_per_request: INVOKEAI_LIMITS.rowsPerRequest,
    max_name_length: INVOKEAI_LIMITS.nameLength,
    max_files_per_batch: 1,
  },
  trash_days: 0,
})
