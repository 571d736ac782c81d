import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { connectForLock, PROCESS_LOCK } from './advisory-locks.ts'

/** Delay between attempts to take the lock again after the connection was lost. */
const RETRY_MS = 1_000

/** An advisory lock. It holds one connection, which nothing else uses. */
export interface ProcessLock {
  release(): Promise<void>
}

/**
 * Takes the lock of a process that uses a database. After the database was restarted, takes it again.
 *
 * @param isShared - True: other processes may hold the lock at the same time, if they also share it.
 * @returns null if another process holds the lock and one of the two does not share it.
 */
export const takeProcessLock = async (
  url: string,
  { isShared }: { isShared: boolean },
): Promise<ProcessLock | null> => {
  const ending = new AbortController()
  let client = await connectWithLock(url, isShared)
  if (client === null) return null

  const keep = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      if (client !== null) await new Promise((resolve) => client?.once('end', resolve))
      if (ending.signal.aborted) return
      client = await connectWithLock(url, isShared).catch(() => null)
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

const connectWithLock = async (url: string, isShared: boolean): Promise<pg.Client | null> => {
  const client = await connectForLock(url)
  const take = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query(`SELECT ${take}($1) AS taken`, [PROCESS_LOCK])
  if (rows[0]?.taken === true) return client
  await client.end()
  return null
}
