import { join } from 'node:path'
import { openOrClose } from './open-records.ts'
import { recordsOf } from './records-of.ts'
import { remoteUnits } from './remote-units.ts'
import { checkInProcess } from './upkeep/check-in-process.ts'
import { WorkerThread } from './worker-thread.ts'

/**
 * Opens the records of a library for reading only, while a server has it open. WAL lets both work; a query sees
 * everything committed before it.
 *
 * @throws {LibraryError} The database is damaged, or another version of Tessera wrote it.
 */
export const openExports = async (dataFolder: string) => {
  const path = join(dataFolder, 'tessera.db')
  const reader = new WorkerThread({ path, maxQueued: 100, role: 'reader' })
  const kinds = await openOrClose(reader, path)
  const units = remoteUnits(kinds, (unit, _kind, args) =>
    reader.run({ unit, args, now: Date.now() }),
  )
  const { exports, images, upkeep } = recordsOf(units, units)
  return {
    exports,
    images,
    upkeep: {
      ...upkeep,
      checkDatabase: (depth: 'quick' | 'full', signal?: AbortSignal) =>
        checkInProcess({ path, depth }, signal),
    },
    close: () => reader.close(),
  }
}
