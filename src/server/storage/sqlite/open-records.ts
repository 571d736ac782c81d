import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RefusalCode } from '#contract/refusal.ts'
import type { ChangeOrigin } from '#server/core/changes/change-ports.ts'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { LibraryError, LibraryState, WHAT_TO_DO } from '#server/core/upkeep/library-state.ts'
import { restoreHint } from '#server/storage/backup/automatic-backups.ts'
import { ChangeListeners } from '#server/storage/sql/changes/change-listeners.ts'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'
import { recordsOf } from '#server/storage/sql/records-of.ts'
import { IN_NO_LIST, remoteUnits, type UnitKinds } from '#server/storage/sql/remote-units.ts'
import { checkInProcess } from '#server/storage/sqlite/upkeep/check-in-process.ts'
import type { OpenFault } from './open-library.ts'
import type { OpenResult, Written } from './records-worker.ts'
import { WorkerThread } from './worker-thread.ts'

/** Maximum number of requests that wait for a thread. Further ones are refused as busy. */
const MAX_QUEUED = 1000

/**
 * Opens the records of a library, `tessera.db` in its data folder, and migrates its schema.
 *
 * Queries run in worker threads, one for writing and two for reading, so that the event loop is not blocked. Each
 * method of the ports is one task and one transaction in one thread.
 *
 * @throws {LibraryError} The database is damaged, was written by a newer version or another program, or is missing
 *   or empty while `mayCreate` is false. It was not changed.
 */
export const openRecords = async (options: {
  dataFolder: string
  clock?: Clock
  /** True creates a missing or empty database. Default: true. */
  mayCreate?: boolean
  /** True opens a library even if a short check finds damage. Default: false. */
  mayBeDamaged?: boolean
  /** True opens all connections for reading, and migrates and creates nothing. Default: false. */
  isReadOnly?: boolean
  /** Becomes read-only if the disk fails or damage is found. */
  state?: LibraryState
  /** Names the origin of each change for the log of changes. */
  origin?: ChangeOrigin
  /** Called while a library of an older version is updated, which can take minutes. */
  onMigration?: (progress: MigrationProgress) => void
}): Promise<Records> => {
  const { dataFolder, clock = Date.now, mayCreate = true, mayBeDamaged = false } = options
  const { isReadOnly = false, state = new LibraryState({ isStartedReadOnly: isReadOnly }) } =
    options
  const shared = { path: join(dataFolder, 'tessera.db'), maxQueued: MAX_QUEUED }
  if (isReadOnly) assertExists(shared.path)
  else if (!mayCreate) assertNotLost(shared.path)
  // `state` refuses every change of a library that is opened for reading.
  const writer = new WorkerThread({
    ...{ ...shared, role: isReadOnly ? 'reader' : 'writer' },
    onMigration: options.onMigration,
  })
  const kinds = await openOrClose(writer, shared.path, { mayCreate, mayBeDamaged, isReadOnly })
  const reader = new WorkerThread({ ...shared, role: 'reader' })
  // One thread for long reads, so that the tables of a large library are in memory only once.
  const longReader = new WorkerThread({ ...shared, role: 'reader', startsIdle: true })

  // Starts must not share a value: an ETag of an earlier run would otherwise match different content.
  let revision = Date.now() * 1000

  const changed = new ChangeListeners()

  const noteFaults = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (isRefusal(error, 'disk_error')) state.fail('disk_error')
      if (isRefusal(error, 'library_damaged')) state.fail('damaged')
      throw error
    }
  }

  const unitsOf = (thread: WorkerThread) =>
    remoteUnits(kinds, async (unit, kind, args) => {
      if (kind === 'read') return noteFaults(thread.run({ unit, args, now: clock() }))
      state.assertWritable()
      const origin = options.origin?.current() ?? null
      const written = await noteFaults(writer.run({ unit, args, now: clock(), origin }))
      const { result, logged } = written as Written
      if (!IN_NO_LIST.test(unit)) revision += 1
      if (logged !== null) changed.emit(logged)
      return result
    })
  const records = recordsOf(unitsOf(reader), unitsOf(longReader), options.origin)
  const madeAt = await records.upkeep.madeAt()
  return {
    ...records,
    changes: { ...records.changes, listen: changed.listen },
    upkeep: {
      ...records.upkeep,
      revision: async () => revision,
      now: async () => clock(),
      checkDatabase: (depth, signal) => checkInProcess({ path: shared.path, depth }, signal),
      checkDisk: async () => {
        await writer.run({ lifecycle: 'checkDisk' })
      },
      reopen: async () => {
        // All at once: SQLite shares the log's index between the connections of a process.
        for (const thread of [writer, reader, longReader]) await thread.run({ lifecycle: 'close' })
        revision += 1
        if ((await records.upkeep.madeAt()) !== madeAt)
          throw new LibraryError(`${shared.path} is another library now.`)
      },
    },
    close: async () => {
      await Promise.all([reader.close(), longReader.close()])
      // Last, so that the log is written back into the database and removed.
      await writer.run({ lifecycle: 'close' })
      await writer.close()
    },
  }
}

const isRefusal = (error: unknown, code: RefusalCode): boolean =>
  error instanceof Refusal && error.code === code

/** Must run before SQLite opens the file: SQLite deletes the log of a database without pages. */
const assertNotLost = (path: string): void => {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw libraryError(path, 'missing', false)
  if (size === 0) throw libraryError(path, 'empty', false)
}

const assertExists = (path: string): void => {
  if (!existsSync(path))
    throw new LibraryError(`${path} is missing, and --read-only creates no library. Check --data.`)
}

/** Texts that follow the path of the database in a message. */
const faultTexts: Readonly<Record<OpenFault, string>> = {
  missing: `is missing, but images/ has files. ${WHAT_TO_DO}`,
  empty: `is empty, but images/ has files. ${WHAT_TO_DO}`,
  foreign: `is the database of another program. ${WHAT_TO_DO}`,
  newer: 'was written by a newer version of Tessera. Update Tessera to open it.',
  older: 'is still in use by an older version of Tessera. Stop that one and try again.',
  damaged: 'is damaged.',
  full: 'needs space, and the disk is full. Nothing was changed. Free some space there, or choose another folder with --data.',
  read_only: 'cannot be written. Make it writable, or choose another folder with --data.',
}

const OLDER_AND_READ_ONLY =
  'was written by an older version of Tessera. Start once without --read-only to update it.'

/** Faults that restoring an automatic backup can fix. */
const restorableFaults: readonly OpenFault[] = ['missing', 'empty', 'foreign', 'damaged']

const libraryError = (path: string, fault: OpenFault, isReadOnly: boolean) => {
  const isOlder = isReadOnly && fault === 'older'
  const folder = dirname(path)
  const lines = [
    `${path} ${isOlder ? OLDER_AND_READ_ONLY : faultTexts[fault]}`,
    fault === 'damaged' ? repairHint(folder) : null,
    restorableFaults.includes(fault) ? restoreHint(folder) : null,
  ]
  return new LibraryError(lines.filter((line) => line !== null).join(' '))
}

const repairHint = (folder: string): string =>
  `To see what can be read: tessera doctor --data "${folder}". To make a new database of it and of the newest backup: tessera doctor --repair --data "${folder}".`

/** Opens the connection of a thread, or ends the thread. @throws {LibraryError} */
const openOrClose = async (
  thread: WorkerThread,
  path: string,
  { isReadOnly, ...task } = { mayCreate: true, mayBeDamaged: false, isReadOnly: false },
): Promise<UnitKinds> => {
  try {
    const result = (await thread.run({ lifecycle: 'open', ...task })) as OpenResult
    if ('fault' in result) throw libraryError(path, result.fault, isReadOnly)
    return result.kinds
  } catch (error) {
    await thread.close()
    throw error
  }
}

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
