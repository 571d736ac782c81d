import type { DatabaseFault } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { killChild, startChild } from '#server/processes/start-child.ts'
import type { Outcome } from '#server/storage/sqlite/outcome.ts'

/** Startup options of the process that checks a database. */
export interface CheckOptions {
  path: string
  depth: 'quick' | 'full'
}

/** Far more than a check needs: SQLite's page cache and, in a full check, sets of image ids. */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3

/**
 * Checks the database in a low-priority process. A check of a million images takes seconds, and readers must not
 * wait. A thread is not used, because its memory would not be completely returned to the system.
 *
 * @throws The reason of `signal`.
 */
export const checkInProcess = async (
  options: CheckOptions,
  signal?: AbortSignal,
): Promise<DatabaseFault[]> => {
  signal?.throwIfAborted()
  const answer = Promise.withResolvers<Outcome>()
  const child = startChild<Outcome>({
    entry: { name: 'check-child', beside: import.meta.url },
    options,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    onMessage: answer.resolve,
    onEnd: ({ lastWords }) =>
      answer.reject(new Error(`The process that checks the database ended. ${lastWords}`)),
  })
  const stop = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop)
  try {
    const outcome = await answer.promise
    if ('value' in outcome) return outcome.value as DatabaseFault[]
    if (outcome.refusal !== 'library_damaged') throw new Refusal(outcome.refusal)
    const text = 'The database is damaged and cannot be read.'
    return [{ kind: 'structure', canRepair: false, text }]
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    await killChild(child)
  }
}
