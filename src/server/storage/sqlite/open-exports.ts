import { join } from 'node:path'
import type { Records } from '#server/core/record-ports.ts'
import { openOrClose } from './open-records.ts'
import { recordsOf } from './records-of.ts'
import type { Read } from './units.ts'
import { checkInProcess } from './upkeep/check-in-process.ts'
import { WorkerThreads } from './worker-threads.ts'

/**
 * Opens the records of a library for reading only, while a server has it open. WAL lets both work; a query sees
 * everything committed before it.
 *
 * @throws {LibraryError} The database is damaged, or another version of Tessera wrote it.
 */
export const openExports = async ({
  dataFolder,
}: {
  dataFolder: string
}): Promise<LibraryToRead> => {
  const path = join(dataFolder, 'tessera.db')
  const reader = new WorkerThreads({ path, maxQueued: 100, role: 'reader', threads: 1 })
  await openOrClose(reader, path)
  const read = (unit: string, ...args: unknown[]) => reader.run({ unit, args, now: Date.now() })
  const never = () => Promise.reject(new Error('it was opened for reading alone'))
  const { exports, images, upkeep } = recordsOf(read as Read, never)
  return {
    exports,
    images,
    upkeep: {
      ...upkeep,
      checkDatabase: (depth, signal) => checkInProcess({ path, depth }, signal),
    },
    close: () => reader.close(),
  }
}

/** Records without writing methods. */
export interface LibraryToRead extends Pick<Records, 'exports' | 'images' | 'close'> {
  upkeep: Omit<Records['upkeep'], 'revision' | 'checkDisk'>
}
