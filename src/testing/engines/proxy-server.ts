import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endProcess, findOrInstall, findProgram, freePort, untilReady } from './engine-process.ts'

const PROGRAM = 'haproxy'

/** The file that users start HAProxy with, too. */
export const proxyFile = fileURLToPath(new URL('../../../docs/proxy/haproxy.cfg', import.meta.url))

/** Returns the path of HAProxy, which is installed if this process may do so. null: it is not on this machine. */
export const findProxyProgram = (): Promise<string | null> =>
  // Debian's folder is not in the PATH of every user.
  findOrInstall(() => findProgram([PROGRAM], ['/usr/sbin']), PROGRAM)

export interface ProxyServer {
  /** Without a trailing slash. It does not change at a restart. */
  readonly url: string
  /** Waits until the proxy sends requests to each server. */
  untilAllAreReady(): Promise<void>
  /** Kills the proxy with all of its connections, and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts HAProxy in front of three servers. */
export const startProxyServer = async (
  program: string,
  serverUrls: readonly string[],
): Promise<ProxyServer> => {
  const hosts = serverUrls.map((url) => new URL(url).host)
  const bind = `127.0.0.1:${await freePort()}`
  const url = `http://${bind}`
  const status = `127.0.0.1:${await freePort()}`
  const env = {
    ...process.env,
    TESSERA_BIND: bind,
    TESSERA_STATUS_BIND: status,
    ...Object.fromEntries(hosts.map((host, index) => [`TESSERA_${index + 1}`, host])),
  }
  let child: ChildProcess | null = null
  const start = async () => {
    const output = process.env.DEBUG ? 'inherit' : 'ignore'
    const started = spawn(program, ['-db', '-f', proxyFile], {
      env,
      stdio: ['ignore', output, output],
    })
    child = started
    await untilReady(
      'HAProxy',
      () => answers(url),
      () => started.exitCode !== null,
    )
  }
  const stop = () => endProcess(child, 'SIGKILL')
  const untilAllAreReady = () =>
    untilReady(
      'HAProxy',
      async () => (await countReady(`http://${status}/;csv`)) === serverUrls.length,
      () => child === null || child.exitCode !== null,
    )
  await start()
  const restart = async () => {
    await stop()
    await start()
  }
  return { url, untilAllAreReady, restart, stop }
}

/** Any answer counts, because the servers may not be ready. */
const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

const countReady = async (statusUrl: string): Promise<number> => {
  const lines = (await (await fetch(statusUrl)).text()).split('\n').map((line) => line.split(','))
  const statusAt = lines[0]?.indexOf('status') ?? -1
  const isReady = ([backend, server, ...rest]: string[]) =>
    backend === 'ready' && server !== 'BACKEND' && rest[statusAt - 2] === 'UP'
  return lines.filter(isReady).length
}
