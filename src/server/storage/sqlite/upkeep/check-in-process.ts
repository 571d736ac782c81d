import type { RefusalCode } from '#contract/refusal.ts'
import type { DatabaseFault } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { CallableProcess } from '#server/processes/callable-process.ts'

export interface CheckOptions {
  path: string
  depth: 'quick' | 'full'
}

export interface CheckMethods {
  check(): DatabaseFault[]
}

/** Far more than a check needs: SQLite's page cache and, in a full check, sets of image ids. */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3

const endedWith = (reason: string) =>
  new Error(`The process that checks the database ended. ${reason}`)

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
  const child = new CallableProcess<CheckMethods>({
    entry: { name: 'check-child', beside: import.meta.url },
    options,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    handlers: {},
    errorOf: ({ name, code, message }) =>
      name === 'Refusal' ? new Refusal(code as RefusalCode) : endedWith(message),
    onEnd: ({ lastWords }) => endedWith(lastWords),
  })
  try {
    return await child.call('check', [], { signal })
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'library_damaged')) throw error
    const text = 'The database is damaged and cannot be read.'
    return [{ kind: 'structure', canRepair: false, text }]
  } finally {
    await child.close()
  }
}
