import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** Advisory lock of the only process that uses a database. */
const PROCESS_LOCK = 7_305_802

/** Delay between attempts to take the lock again after the connection was lost. */
const RETRY_MS = 1_000

/** An advisory lock. It holds one connection, which nothing else uses. */
export interface ProcessLock {
  release(): Promise<void>
}

/**
 * Takes the lock of the only process that uses a database. After the database was restarted, takes it again.
 *
 * @returns null if another process holds it.
 */
export const takeProcessLock = async (url: string): Promise<ProcessLock | null> => {
  const ending = new AbortController()
  let client = await connectWithLock(url)
  if (client === null) return null

  const keep = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      if (client !== null) await new Promise((resolve) => client?.once('end', resolve))
      if (ending.signal.aborted) return
      client = await connectWithLock(url).catch(() => null)
      if (client === null)
        await delay(RETRY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    }
  }
  const kept = keep()
  return {
    release: async () => {
      ending.abort()
      await client?.end()
      await kept
    },
  }
}

const connectWithLock = async (url: string): Promise<pg.Client | null> => {
  const client = new pg.Client({ connectionString: url, keepAlive: true })
  client.on('error', () => {}) // followed by `end`
  await client.connect()
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [PROCESS_LOCK])
  if (rows[0]?.taken === true) return client
  await client.end()
  return null
}
