import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import type { UpstreamStatus } from '#contract/server/upstream-operations.ts'
import type { TesseraServer } from '#server/app.ts'
import { commands, loadCommand } from '#server/commands/commands.ts'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import { HelpRequest } from './flags.ts'
import { phoneAddresses } from './phone-addresses.ts'
import { readSettings, type Settings } from './settings.ts'
import { codeOf, StartError } from './start-error.ts'
import { formatBytes } from './units.ts'
import { version } from './version.ts'

/** Runs the named command, or the server until a signal ends it. Reports errors as one line and an exit code. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    const [name = '', ...rest] = args
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command !== undefined) {
      const runCommand = await loadCommand(command)
      process.exitCode = await runCommand(rest)
      return
    }
    if (/^[^-]/.test(name)) throw new StartError(unknownCommand(name), 2)
    const settings = readSettings(args, version)
    if (settings.upstream === null) setUmaskFor(settings.dataFolder)
    // Late, because commands write no log.
    const { logOf } = await import('./log-of.ts')
    const log = logOf(settings)
    const opened = await open(settings, log)
    stopOnSignals(opened.server, settings, log)
    await listen(opened.server, settings)
    // The greeting contains the token. A log collector must not get it.
    if (settings.logFormat === 'json')
      log.info(`Tessera ${version} listens at ${opened.server.address}`)
    else process.stdout.write(await greeting(opened, settings))
  } catch (error) {
    if (error instanceof HelpRequest) return void process.stdout.write(error.message)
    if (
      !(
        error instanceof StartError ||
        error instanceof LibraryError ||
        error instanceof TargetFolderError
      )
    ) {
      throw error
    }
    process.stderr.write(`tessera: ${error.message}\n`)
    process.exit(error instanceof StartError ? error.exitCode : 1)
  }
}

const unknownCommand = (name: string): string =>
  `There is no command “${name}”. The commands are ${new Intl.ListFormat('en').format(Object.keys(commands))} (see --help).`

export interface Opened {
  server: Pick<TesseraServer, 'address' | 'listen' | 'close'> &
    Partial<Pick<TesseraServer, 'settled' | 'announceStop'>>
  /** Lines of the greeting about the library and its limits. */
  about(): Promise<[string, string][]>
}

/** Opens the server for the settings. Imports the server late, so that help and invalid flags are answered at once. */
export async function open(settings: Settings, log: Logger): Promise<Opened> {
  if (settings.upstream !== null) {
    const { createUpstreamServer } = await import('./upstream-server.ts')
    const { upstream } = settings
    const server = await createUpstreamServer({ ...optionsOf(settings, log), upstream })
    return { server, about: async () => upstreamLines(await server.status()) }
  }
  const { createServer } = await import('#server/app.ts')
  const server = await createServer(optionsOf(settings, log))
  return { server, about: async () => libraryLines(settings, await server.freeBytes()) }
}

const libraryLines = (settings: Settings, freeBytes: number): [string, string][] => [
  ['Data', `${settings.dataFolder} (${formatBytes(freeBytes)} free)`],
  ...(settings.databaseUrl === null ? [] : [line('Records', withoutSecrets(settings.databaseUrl))]),
  ...(settings.files === null ? [] : [line('Images', withoutSecrets(settings.files))]),
  ...(settings.redisUrl === null ? [] : [line('Redis', withoutSecrets(settings.redisUrl))]),
  ...(settings.readOnly ? [line('Changes', 'refused, because of --read-only')] : []),
  ['Models', settings.modelsFolder ?? 'none'],
  ['Largest file', formatBytes(settings.maxUploadBytes)],
  ['Largest video', formatBytes(settings.maxVideoBytes)],
  ['Largest image', `${settings.maxPixels.toLocaleString('en')} pixels`],
]

const line = (name: string, value: string): [string, string] => [name, value]

/** Returns a URL without its password and query. */
const withoutSecrets = (text: string): string => {
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`
}

const upstreamLines = ({ address, version, detail }: UpstreamStatus): [string, string][] => [
  ['In front of', `InvokeAI ${version ?? ''} at ${address}`.replace('  ', ' ')],
  ...(detail === null ? [] : [['Mind', detail] satisfies [string, string]]),
]

const optionsOf = (settings: Settings, logger: Logger) => ({
  ...settings,
  allowedHosts: [...settings.allowedHosts, settings.host],
  pageFolder: findPageFolder(),
  logger,
})

/** Finds the built page: next to the built server in the package, in `dist` in a clone. */
const findPageFolder = (): string | null =>
  ['../page', '../../../dist/page']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path)) ?? null

async function listen(server: Opened['server'], { host, port }: Settings): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    await server.close()
    throw listenError(error, host, port)
  }
}

function listenError(error: unknown, host: string, port: number): unknown {
  const noAddress = `This machine has no address ${host}. Choose another with --host.`
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Choose another with --port.`,
    EACCES: `This user has no permission to use port ${port}. Choose another with --port.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
  }
  const reason = reasons[codeOf(error)]
  return reason === undefined ? error : new StartError(reason, 1, { cause: error })
}

/** Time limit of a stop; then the process exits. The next start deletes leftovers. */
const STOP_MS = 4_500

/**
 * Stops compiling in the background: `process.exit` waits for it, and sometimes forever, because the compiler waits for the
 * main thread to collect garbage (nodejs/node#54918).
 */
const stopCompiling = (): void => {
  for (const flag of ['--no-sparkplug', '--no-maglev', '--no-turbofan']) setFlagsFromString(flag)
}

/**
 * Stops the server in order at the first signal, and at once at the second. SIGTERM, which schedulers send, first
 * leaves a proxy time to notice.
 */
function stopOnSignals(
  server: Opened['server'],
  { logFormat, drainSeconds }: Settings,
  log: Logger,
): void {
  let isStopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    stopCompiling()
    if (logFormat === 'json') log.info('stopping')
    else process.stdout.write('Stopping …\n')
    server.announceStop?.()
    if (signal === 'SIGTERM') await delay(drainSeconds * 1000)
    setTimeout(() => process.exit(0), STOP_MS).unref() // the end of the process releases the lock and the ports
    await server.close()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

async function greeting({ server, about }: Opened, settings: Settings): Promise<string> {
  const { rateLimit } = settings
  const limits =
    rateLimit === 'off'
      ? 'off'
      : `${rateLimit.requestsPerMinute} requests and ${rateLimit.batchRequestsPerMinute} batch requests a minute`
  const lines: [string, string][] = [
    ['Gallery', linkOf(server.address, settings)],
    ...phoneAddresses(server.address, settings.host, networkInterfaces()).map(
      (address): [string, string] => ['Phone', linkOf(address, settings)],
    ),
    ...(await about()),
    ['Rate limit', limits],
    ['Token', settings.token === null ? 'none' : 'required'],
    ['Hosts', ['this machine', ...settings.allowedHosts].join(', ')],
    ['Origins', ['its own', ...settings.allowedOrigins].join(', ')],
    ['Proxies', settings.trustedProxies.join(', ') || 'none'],
    ['Log level', settings.logLevel],
  ]
  const rows = lines.map(([name, value]) => `  ${name.padEnd(14)}${value}\n`)
  return `Tessera ${version}\n${rows.join('')}`
}

/** Returns the address of the gallery, with the token if there is one. */
const linkOf = (address: string, { token }: Settings): string =>
  token === null ? `${address}/` : `${address}/?token=${encodeURIComponent(token)}`
