import type { ProcessLocks, SingleWork } from '#server/core/upkeep/process-locks.ts'
import { connectForLock, REMOVAL_LOCK, REREAD_LOCK, UPKEEP_LOCK } from './advisory-locks.ts'
import { faultsAsRefusals } from './faults.ts'

const keys: Readonly<Record<SingleWork, number>> = {
  removal: REMOVAL_LOCK,
  upkeep: UPKEEP_LOCK,
  reread: REREAD_LOCK,
}

/**
 * Each attempt opens a connection, whose end releases the lock. If the database restarts meanwhile, two processes may
 * do the work for a moment. It is idempotent.
 */
export const processLocksOf = (url: string): ProcessLocks => ({
  tryRun: async (work, run) => {
    const client = await faultsAsRefusals(() => connectForLock(url))
    try {
      const { rows } = await faultsAsRefusals(() =>
        client.query('SELECT pg_try_advisory_lock($1) AS taken', [keys[work]]),
      )
      return rows[0]?.taken === true ? await run() : null
    } finally {
      await client.end()
    }
  },
})
