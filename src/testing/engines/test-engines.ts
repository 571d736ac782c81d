import {
  createDatabase,
  findPostgresPrograms,
  type PostgresServer,
  startPostgresServer,
} from './postgres-server.ts'
import { findRedisProgram, startRedisServer } from './redis-server.ts'
import { emptyStore, findS3Program, s3Credentials, startS3Server } from './s3-server.ts'

interface Urls {
  postgresUrl: string | null
  s3Url: string | null
  redisUrl: string | null
  redisProgram: string | null
}

/** PostgreSQL, S3 and Redis on this machine, started at their first use. */
export class TestEngines {
  #started: Promise<Urls> | null = null
  readonly #servers: { stop(): Promise<void> }[] = []
  #postgres: PostgresServer | null = null

  constructor() {
    // Servers under test inherit them.
    Object.assign(process.env, s3Credentials)
  }

  /** Returns the URLs of the servers; null for programs that this machine lacks. */
  start(): Promise<Urls> {
    this.#started ??= this.#start()
    return this.#started
  }

  /** Returns the flags of a server with an empty database and an empty bucket. */
  async flags(): Promise<string[]> {
    const { postgresUrl, s3Url } = await this.start()
    if (postgresUrl === null || s3Url === null)
      throw new Error('PostgreSQL or an S3 server is missing on this machine.')
    return ['--database', await createDatabase(postgresUrl), '--files', emptyStore(s3Url)]
  }

  /** Stops PostgreSQL while `work` runs. */
  async withoutDatabase(work: () => Promise<void>): Promise<void> {
    await this.#postgres?.halt()
    try {
      await work()
    } finally {
      await this.#postgres?.resume()
    }
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop()
  }

  async #start(): Promise<Urls> {
    const programs = await findPostgresPrograms()
    const postgres = programs === null ? null : await startPostgresServer(programs)
    this.#postgres = postgres
    if (postgres !== null) this.#servers.push(postgres)
    const program = await findS3Program()
    const s3 = program === null ? null : await startS3Server(program)
    if (s3 !== null) this.#servers.push(s3)
    const redisProgram = await findRedisProgram()
    const redis = redisProgram === null ? null : await startRedisServer(redisProgram)
    if (redis !== null) this.#servers.push(redis)
    const urls = { postgresUrl: postgres?.url ?? null, s3Url: s3?.url ?? null }
    return { ...urls, redisUrl: redis?.url ?? null, redisProgram }
  }
}
