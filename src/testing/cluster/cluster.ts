import { connect, type EventStreamOptions, type Fetch, type TesseraClient } from '#client/index.ts'
import { type FaultyS3, startFaultyS3 } from '#testing/engines/faulty-s3.ts'
import {
  createDatabase,
  findPostgresPrograms,
  type PostgresServer,
  startPostgresServer,
} from '#testing/engines/postgres-server.ts'
import {
  findProxyProgram,
  type ProxyServer,
  startProxyServer,
} from '#testing/engines/proxy-server.ts'
import {
  findRedisProgram,
  type RedisServer,
  startRedisServer,
} from '#testing/engines/redis-server.ts'
import { findS3Program, s3Credentials, startS3Server } from '#testing/engines/s3-server.ts'
import { ServerProcess } from '#testing/server/server-process.ts'

/** Longer than the proxy takes to notice that a process is stopping. */
const DRAIN_SECONDS = '2'

interface ClusterOptions {
  /** Further flags of each process. Rate limits are off unless they include `--rate-limit`. */
  flags?: readonly string[]
}

/**
 * Three processes of Tessera behind HAProxy, with PostgreSQL, Redis and S3, as a person runs them: real servers, each
 * process with its flags and its data folder.
 */
export class Cluster {
  /** Database of the records. */
  readonly databaseUrl: string
  /** Bucket of the files, without the proxy that answers wrongly. */
  readonly filesUrl: string
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly s3: FaultyS3
  readonly processes: Processes
  readonly proxy: ProxyServer
  readonly #stop: () => Promise<void>
  #clients = 0

  private constructor(parts: Parts, stop: () => Promise<void>) {
    this.databaseUrl = parts.databaseUrl
    this.filesUrl = parts.filesUrl
    this.postgres = parts.postgres
    this.redis = parts.redis
    this.s3 = parts.s3
    this.processes = parts.processes
    this.proxy = parts.proxy
    this.#stop = stop
  }

  static async start({ flags = [] }: ClusterOptions = {}): Promise<Cluster> {
    // Tessera's processes inherit them.
    Object.assign(process.env, s3Credentials)
    const started: (() => Promise<void>)[] = []
    const stop = async () => {
      for (const stopOne of started.toReversed()) await stopOne()
    }
    try {
      return new Cluster(await startParts(flags, started), stop)
    } catch (error) {
      await stop()
      throw error
    }
  }

  /** Address of the proxy, without a trailing slash. */
  get url(): string {
    return this.proxy.url
  }

  /** Creates a client with its own address, so that it shares no limit with others. */
  connect(url = this.url, events: EventStreamOptions = {}): TesseraClient {
    this.#clients += 1
    const address = `10.0.${this.#clients >> 8}.${this.#clients & 255}`
    const fetchFromAddress: Fetch = (url, init) => {
      const headers = new Headers(init.headers)
      headers.set('x-forwarded-for', address)
      return fetch(url, { ...init, headers })
    }
    return connect({ baseUrl: url, fetch: fetchFromAddress, events })
  }

  /** Restarts one process after the other, as an update without downtime does. */
  async restartOneByOne(): Promise<void> {
    for (const process of this.processes) {
      await process.restart()
      await this.proxy.untilAllAreReady()
    }
  }

  stop(): Promise<void> {
    return this.#stop()
  }
}

type Processes = readonly [ServerProcess, ServerProcess, ServerProcess]

type Parts = Pick<
  Cluster,
  'databaseUrl' | 'filesUrl' | 'postgres' | 'redis' | 's3' | 'processes' | 'proxy'
>

/** @param started - Receives a function for each started server that stops it. */
const startParts = async (
  flags: readonly string[],
  started: (() => Promise<void>)[],
): Promise<Parts> => {
  const programs = await findPrograms()
  const postgres = await startPostgresServer(programs.postgres)
  started.push(() => postgres.stop())
  const redis = await startRedisServer(programs.redis)
  started.push(() => redis.stop())
  const store = await startS3Server(programs.s3)
  started.push(() => store.stop())
  const s3 = await startFaultyS3(store.url)
  started.push(() => s3.close())
  const databaseUrl = await createDatabase(postgres.url)
  const engines = ['--database', databaseUrl, '--files', s3.url, '--redis', redis.url]
  const all = [...engines, '--trust-proxy', '127.0.0.1', '--drain', DRAIN_SECONDS, ...flags]
  const start = async () => {
    const process = await ServerProcess.start({ flags: all })
    started.push(() => {
      process.resume() // a failed test may leave it paused
      return process.close()
    })
    return process
  }
  // Together, as a machine starts them: one of them creates the tables.
  const processes = await Promise.all([start(), start(), start()])
  const proxy = await startProxyServer(
    programs.proxy,
    processes.map(({ url }) => url),
  )
  started.push(() => proxy.stop())
  await proxy.untilAllAreReady()
  return { databaseUrl, filesUrl: store.url, postgres, redis, s3, processes, proxy }
}

const findPrograms = async () => ({
  postgres: assertFound('PostgreSQL', await findPostgresPrograms()),
  redis: assertFound('Redis', await findRedisProgram()),
  s3: assertFound('An S3 server', await findS3Program()),
  proxy: assertFound('HAProxy', await findProxyProgram()),
})

const assertFound = (name: string, program: string | null): string => {
  if (program === null) throw new Error(`${name} was not found on this machine.`)
  return program
}
