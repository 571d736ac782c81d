import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { freePort, isExecutable, untilReady } from './engine-process.ts'

const run = promisify(execFile)

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the program, for tests that start their own server. */
    redisProgram: string
  }
}

const PROGRAMS = ['redis-server', 'valkey-server']

/** Returns the path of a Redis or Valkey server. Installs one as root if necessary. Returns null without one. */
export const findRedisProgram = async (): Promise<string | null> => {
  const found = await findInstalled()
  if (found !== null || process.getuid?.() !== 0) return found
  const install = async () => {
    await run('apt-get', ['update', '-qq'])
    // Without the server's service, which would start it.
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], {
      env: { ...process.env, RUNLEVEL: '1' },
    })
  }
  return install().then(findInstalled, () => null)
}

const findInstalled = async (): Promise<string | null> => {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
  for (const name of PROGRAMS) {
    for (const folder of folders) {
      if (await isExecutable(join(folder, name))) return join(folder, name)
    }
  }
  return null
}

export interface RedisServer {
  url: string
  /** Stops the server, which forgets everything. */
  halt(): Promise<void>
  /** Starts the server again, empty, unless it runs. */
  resume(): Promise<void>
  /** Stops the process without closing its connections, as a machine that hangs. `thaw` continues it. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

interface RedisServerOptions {
  /** Deletes keys at random as soon as they need more than this. Default: never. */
  evictAboveBytes?: number
  password?: string
}

/** Starts a server that stores nothing on disk. */
export const startRedisServer = async (
  program: string,
  { evictAboveBytes, password = '' }: RedisServerOptions = {},
): Promise<RedisServer> => {
  const folder = await createTemporaryFolder()
  const port = await freePort()
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    ...(password !== '' && { requirepass: password }),
    ...(evictAboveBytes !== undefined && {
      maxmemory: evictAboveBytes,
      'maxmemory-policy': 'allkeys-random',
    }),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const url = `redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`
  let child: ChildProcess | null = null
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const halt = async () => {
    if (child === null || !isRunning()) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const resume = async () => {
    if (isRunning()) return
    const started = spawn(program, flags, { stdio: 'ignore' })
    child = started
    await untilReady(
      'Redis',
      () => isAnswering(url),
      () => started.exitCode !== null,
    )
  }
  const stop = async () => {
    await halt()
    await removeFolder(folder)
  }
  try {
    await resume()
  } catch (error) {
    await stop()
    throw error
  }
  const freeze = () => void child?.kill('SIGSTOP')
  const thaw = () => void child?.kill('SIGCONT')
  return { url, halt, resume, freeze, thaw, stop }
}

/** Opens a connection for a test, which closes it with `disconnect`. */
export const connectTo = async (url: string): Promise<Redis> => {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, enableReadyCheck: false })
  client.on('error', () => {}) // `connect` rejects
  await client.connect()
  return client
}

const isAnswering = async (url: string): Promise<boolean> => {
  try {
    const client = await connectTo(url)
    client.disconnect()
    return true
  } catch {
    return false
  }
}
