import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { removeFolder } from '#testing/temporary-folder.ts'
import { endProcess, findOrInstall, findProgram, freePort, untilReady } from './engine-process.ts'

const run = promisify(execFile)

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL server, without a database. */
    postgresUrl: string
  }
}

/** Folder of Debian's packages, with one folder per version. */
const DEBIAN = '/usr/lib/postgresql'

const PASSWORD = 'not-a-secret'

/** PostgreSQL refuses to run as root. This user exists on every system. */
const NOBODY = 65_534

/** Returns the folder of PostgreSQL's programs, which are installed if this process may do so. null: there are none. */
export const findPostgresPrograms = async (): Promise<string | null> => {
  const program = await findOrInstall(findInitdb, 'postgresql')
  return program === null ? null : dirname(program)
}

const findInitdb = async (): Promise<string | null> => {
  const versions = await readdir(DEBIAN).catch(() => [])
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))
  const folders = newest.map((version) => join(DEBIAN, version, 'bin'))
  return findProgram(['initdb'], folders)
}

export interface PostgresServer {
  /** URL without a database. */
  url: string
  /** Stops the server. Its data remain for `resume`. */
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server in a temporary folder. It does not flush, because the folder is removed at its end.
 *
 * @param memory - Additional settings, such as `shared_buffers`.
 */
export const startPostgresServer = async (
  programs: string,
  memory: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder, NOBODY, NOBODY)
  const user = { cwd: folder, ...(isRoot && { uid: NOBODY, gid: NOBODY }) }
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 })
  const cluster = [
    ...['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale=C.UTF-8'],
  ]
  await run(join(programs, 'initdb'), [`--pgdata=${data}`, '--no-sync', ...cluster], user)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    fsync: 'off',
    full_page_writes: 'off',
    ...memory,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}`
  let child: ChildProcess | null = null
  const halt = () => endProcess(child, 'SIGINT') // disconnects clients
  const resume = async () => {
    const started = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...user,
      stdio: 'ignore',
    })
    child = started
    await untilReady(
      'PostgreSQL',
      () => isConnected(url),
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
  return { url, halt, resume, stop }
}

/** Creates an empty database and returns its URL. */
export const createDatabase = async (
  serverUrl: string,
  name = `test_${randomUUID().replaceAll('-', '')}`,
): Promise<string> => {
  await runOn(`${serverUrl}/postgres`, `CREATE DATABASE ${name}`)
  return `${serverUrl}/${name}`
}

/** Runs a statement on a new connection. */
export const runOn = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const isConnected = (url: string): Promise<boolean> =>
  runOn(`${url}/postgres`, 'SELECT 1').then(
    () => true,
    () => false,
  )
