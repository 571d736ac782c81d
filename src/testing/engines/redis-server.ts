import { type ChildProcess, spawn } from 'node:child_process'
import { Redis } from 'ioredis'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import {
  endProcess,
  findOrInstall,
  findProgram,
  freePort,
  isRunning,
  untilReady,
} from './engine-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the program, for tests that start their own server. */
    redisProgram: string
  }
}

const PROGRAMS = ['redis-server', 'valkey-server']

/** Returns the path of a Redis or Valkey server. Installs one as root if necessary. Returns null without one. */
export const findRedisProgram = (): Promise<string | null> =>
  findOrInstall(() => findProgram(PROGRAMS, ['/usr/bin', '/usr/sbin']), 'redis-server')

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
  const halt = () => endProcess(child, 'SIGKILL')
  const resume = async () => {
    if (isRunning(child)) return
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
