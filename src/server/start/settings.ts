import { randomBytes } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import {
  BATCH_REQUESTS_PER_MINUTE,
  DEFAULT_MAX_VIDEO_BYTES,
  DEFAULT_PLAYABLE_CACHE_BYTES,
  MIN_TOKEN_LENGTH,
  REQUESTS_PER_MINUTE,
} from '#contract/limits.ts'
import { commandsHelp } from '#server/commands/commands.ts'
import {
  databaseFlag,
  databaseUrlOf,
  dataFlag,
  filesFlag,
  flag,
  maxPixelsFlag,
  maxUploadFlag,
  parse,
  readCount,
  readSeconds,
  readSize,
  readSwitch,
} from './flags.ts'
import type { ServerOptions } from './server-options.ts'
import { codeOf, StartError } from './start-error.ts'
import { formatBytes } from './units.ts'
import { assertNoLibraryFlags, readUpstream } from './upstream-settings.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const logFormats = ['text', 'json'] as const

/** All settings of the server. Folders are absolute. */
export interface Settings
  extends Required<
    Omit<ServerOptions, 'runsQueue' | 'openEngine' | 'pageFolder' | 'logger' | 'clock'>
  > {
  host: string
  port: number
  logLevel: (typeof logLevels)[number]
  logFormat: (typeof logFormats)[number]
  /** Time between the signal to stop and the end of new requests. */
  drainSeconds: number
  /** Origin of the InvokeAI whose library is shown; null: Tessera's own library. */
  upstream: string | null
}

interface Flags
  extends Pick<Settings, 'host' | 'port' | 'rateLimit' | 'maxPixels' | 'logLevel' | 'logFormat'> {
  drain: number
  data: string
  database?: string
  files?: string
  redis?: string
  maxUpload: number
  models?: string
  modelMemory?: number
  playableCache: number
  backupEvery: number | 'off'
  readOnly?: boolean
  filesRedirect?: boolean
  token?: string | true
  allowHost: string[]
  allowOrigin: string[]
  trustProxy: string[]
  basePath: string
  upstream?: string
}

/**
 * Reads settings from flags, or from the environment if a flag is absent (`--max-upload` is `TESSERA_MAX_UPLOAD`).
 *
 * @throws {HelpRequest} The arguments ask for help or the version.
 * @throws {StartError} A flag is invalid.
 */
export function readSettings(args: readonly string[], version: string): Settings {
  const command = commandOf(version)
  parse(command, args)
  return settingsOf(command)
}

function commandOf(version: string): Command {
  const rateLimit = {
    requestsPerMinute: REQUESTS_PER_MINUTE,
    batchRequestsPerMinute: BATCH_REQUESTS_PER_MINUTE,
  }
  const rateLimitText = `${REQUESTS_PER_MINUTE},${BATCH_REQUESTS_PER_MINUTE}`
  const list = (name: string, description: string) => flag(name, description).default([])
  const options = [
    flag('--host <name>', 'address to listen on; other than loopback only with --token').default(
      '127.0.0.1',
    ),
    flag('--port <number>', 'port to listen on; 0 chooses a free one')
      .default(9091)
      .argParser(readPort),
    dataFlag(),
    filesFlag('keep images in S3, such as s3://bucket/prefix?endpoint=https://s3.example.org'),
    flag(
      '--files-redirect [switch]',
      'send browsers to the S3 server for images, if they can reach it',
    ).argParser(readSwitch),
    flag('--rate-limit <figures>', 'requests and batch requests a minute for a client, or "off"')
      .default(rateLimit, rateLimitText)
      .argParser(readRateLimit),
    maxUploadFlag(),
    maxPixelsFlag(),
    databaseFlag('keep records in this PostgreSQL database: postgres://user:password@host/name'),
    flag(
      '--redis <url>',
      'let several processes use one library, with this Redis: redis://host:6379',
    ),
    flag('--models <folder>', 'the folder of models: ONNX, safetensors and GGUF').argParser(
      readModelsFolder,
    ),
    flag('--model-memory <size>', 'memory that loaded models may use').argParser(readSize),
    flag('--playable-cache <size>', 'space for playable copies of videos, or 0 for none')
      .default(DEFAULT_PLAYABLE_CACHE_BYTES, formatBytes(DEFAULT_PLAYABLE_CACHE_BYTES))
      .argParser(readPlayableCache),
    flag('--backup-every <days>', 'interval of automatic database backups, or "off"')
      .default(1)
      .argParser(readBackupEvery),
    flag('--read-only [switch]', 'refuse every change and write nothing to the library').argParser(
      readSwitch,
    ),
    flag('--log-level <level>', 'log level').choices(logLevels).default('info'),
    flag('--log-format <format>', 'text for people, json for log collectors')
      .choices(logFormats)
      .default('text'),
    flag(
      '--drain <seconds>',
      'time to go on answering after SIGTERM, while readiness says “stopping”',
    )
      .default(0)
      .argParser(readSeconds),
    flag('--token [value]', 'require a token for API and page; created if no value is given'),
    list('--allow-host <name>', 'another accepted host name; may be repeated').argParser(collect),
    list(
      '--allow-origin <origin>',
      'another website that may use the API; may be repeated',
    ).argParser(collectOrigins),
    list(
      '--trust-proxy <address>',
      'a proxy whose X-Forwarded-For is trusted; may be repeated',
    ).argParser(collectProxies),
    flag('--base-path <path>', 'the path below which a proxy serves the gallery, such as /gallery')
      .default('')
      .argParser(readBasePath),
    flag(
      '--upstream <url>',
      'show the library of this InvokeAI, such as http://127.0.0.1:9090, instead of an own one',
    ).argParser(readUpstream),
  ]
  const command = new Command('tessera')
    .description('A gallery for generated and collected images, with a server of its own')
    .version(version)
    .addHelpText('after', commandsHelp)
  for (const option of options) command.addOption(option)
  return command
}

function settingsOf(command: Command): Settings {
  const flags = command.opts<Flags>()
  const { host, port, rateLimit, maxPixels, logLevel, logFormat, token, upstream = null } = flags
  if (upstream !== null) assertNoLibraryFlags(command)
  const isMaxUploadGiven = command.getOptionValueSource('maxUpload') !== 'default'
  const isLimited = upstream === null || command.getOptionValueSource('rateLimit') !== 'default'
  if (token === undefined && !isLoopback(host)) {
    throw new StartError(
      `--host ${host} can be reached from other machines: add --token to guard it, or leave --host out.`,
      2,
    )
  }
  if (typeof token === 'string' && token.length < MIN_TOKEN_LENGTH && !isLoopback(host)) {
    throw new StartError(
      `--token needs at least ${MIN_TOKEN_LENGTH} characters with --host ${host}. Without a value Tessera makes one.`,
      2,
    )
  }
  if (flags.database !== undefined && flags.files === undefined)
    throw new StartError(
      '--database needs --files: images in a folder of this machine would not be where the records are. Add --files s3://bucket.',
      2,
    )
  if (flags.files !== undefined && flags.database === undefined)
    throw new StartError(
      '--files needs --database: records in a folder of this machine would not be where the images are. Add --database postgres://….',
      2,
    )
  if (flags.filesRedirect && flags.files === undefined)
    throw new StartError(
      '--files-redirect needs --files: this server sends images from a folder itself.',
      2,
    )
  if (flags.redis !== undefined && flags.database === undefined)
    throw new StartError(
      '--redis needs --database: several processes cannot share a folder of one machine. Add --database postgres://… and --files s3://….',
      2,
    )
  if (token === true && logFormat === 'json')
    throw new StartError(
      '--log-format json prints no link, so --token needs a value: --token TOKEN.',
      2,
    )
  if (token === true && flags.redis !== undefined)
    throw new StartError(
      '--token needs a value with --redis, so that all processes accept the same token.',
      2,
    )
  if (token === '') throw new StartError('--token needs a value that is not empty.', 2)
  return {
    ...{ host, port, maxPixels, logLevel, logFormat, upstream },
    drainSeconds: flags.drain,
    dataFolder: flags.data,
    databaseUrl: databaseUrlOf(flags.database),
    files: flags.files ?? null,
    filesRedirect: flags.filesRedirect ?? false,
    redisUrl: redisUrlOf(flags.redis),
    rateLimit: isLimited ? rateLimit : 'off',
    maxUploadBytes: flags.maxUpload,
    maxVideoBytes: isMaxUploadGiven ? flags.maxUpload : DEFAULT_MAX_VIDEO_BYTES,
    modelsFolder: flags.models ?? null,
    modelMemoryBytes: flags.modelMemory ?? null,
    playableCacheBytes: flags.playableCache,
    backupEveryDays: flags.backupEvery === 'off' ? null : flags.backupEvery,
    readOnly: flags.readOnly ?? false,
    token: token === true ? randomBytes(24).toString('base64url') : (token ?? null),
    allowedHosts: flags.allowHost,
    allowedOrigins: flags.allowOrigin,
    trustedProxies: flags.trustProxy,
    basePath: flags.basePath,
  }
}

/** True if only this machine can reach the host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Not an argument parser, like {@link databaseUrlOf}. */
function redisUrlOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url !== null && /^rediss?:$/.test(url.protocol) && url.host !== '') return text
  throw new StartError('--redis looks like redis://user:password@host:6379.', 2)
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}

function readRateLimit(text: string): Settings['rateLimit'] {
  if (text === 'off') return 'off'
  const [, requests = '', batches = ''] = /^(\d+),(\d+)$/.exec(text) ?? []
  if (Number(requests) > 0 && Number(batches) > 0) {
    return { requestsPerMinute: Number(requests), batchRequestsPerMinute: Number(batches) }
  }
  throw new InvalidArgumentError('It is "off" or two figures, such as 100,10.')
}

const readPlayableCache = (text: string): number => (text.trim() === '0' ? 0 : readSize(text))

const readBackupEvery = (text: string): Flags['backupEvery'] =>
  text === 'off' ? text : readCount(text)

const collect = (text: string, previous: readonly string[]): string[] => [
  ...previous,
  // An empty name would match requests without a host.
  ...text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
]

function collectOrigins(text: string, previous: readonly string[]): string[] {
  const origins = collect(text, previous)
  const isOrigin = (one: string) => URL.canParse(one) && new URL(one).origin === one
  if (origins.every(isOrigin)) return origins
  throw new InvalidArgumentError('An origin looks like http://localhost:5173.')
}

const isNetwork = (text: string): boolean => {
  const [, address = '', bits = '0'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128)
}

function collectProxies(text: string, previous: readonly string[]): string[] {
  const proxies = collect(text, previous)
  if (proxies.every(isNetwork)) return proxies
  throw new InvalidArgumentError('A proxy is an address, such as 10.0.0.1 or 10.0.0.0/8.')
}

function readBasePath(text: string): string {
  const path = text.replace(/\/$/, '')
  const segments = path.split('/').slice(1)
  const isPath = path === '' || path.startsWith('/')
  if (isPath && segments.every((name) => /^[\w~-][\w.~-]*$/.test(name))) return path
  throw new InvalidArgumentError('A base path looks like /gallery.')
}

/** The folder must exist: Tessera never writes models, so it creates no folder for them. */
function readModelsFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('A folder has a name.')
  const folder = resolve(text)
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return folder
  } catch (error) {
    throw new InvalidArgumentError(
      codeOf(error) === 'ENOENT'
        ? `There is no folder ${folder}.`
        : `The folder ${folder} cannot be read.`,
    )
  }
  throw new InvalidArgumentError(`${folder} is no folder.`)
}
