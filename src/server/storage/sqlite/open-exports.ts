import { join } from 'node:path'
import type { ExportRecords } from '#server/core/export-ports.ts'
import { openOrClose } from './open-records.ts'
import { recordsOf } from './records-of.ts'
import type { Read } from './units.ts'
import { WorkerThreads } from './worker-threads.ts'

/**
 * Opens the records of a library for reading alone, beside the server that has it: its WAL lets both work, and
 * what is read is what was committed by then.
 *
 * @throws {LibraryError} The database is damaged, or another version of Tessera wrote it.
 */
export const openExports = async ({
  dataFolder,
}: {
  dataFolder: string
}): Promise<{ exports: ExportRecords; close(): Promise<void> }> => {
  const path = join(dataFolder, 'tessera.db')
  const reader = new WorkerThreads({ path, role: 'reader', threads: 1, maxQueued: 100 })
  await openOrClose(reader, path)
  const read = (unit: string, ...args: unknown[]) => reader.run({ unit, args, now: Date.now() })
  const never = () => Promise.reject(new Error('it was opened for reading alone'))
  return { exports: recordsOf(read as Read, never).exports, close: () => reader.close() }
}
