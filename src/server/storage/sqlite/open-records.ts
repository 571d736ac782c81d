import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { LibraryError, LibraryState } from '#server/core/upkeep/library-state.ts'
import { restoreHint } from '#server/storage/backup/automatic-backups.ts'
import { checkInProcess } from '#server/storage/sqlite/upkeep/check-in-process.ts'
import { isLongRead } from './long-reads.ts'
import { faultTexts, type OpenFault } from './open-library.ts'
import { recordsOf } from './records-of.ts'
import type { Read, Write } from './units.ts'
import { WorkerThreads } from './worker-threads.ts'

/** Requests that may wait for a thread. Beyond, a caller is told to come again. */
const MAX_QUEUED = 1000

/**
 * Opens the records of a library, `tessera.db` in its data folder, and brings its schema up to date.
 *
 * Queries run in worker threads, one that writes and some that read, so that the event loop stays free.
 * Each method of the ports is one task, and one transaction, of one thread.
 *
 * @throws {LibraryError} The database is damaged, a newer version or another program wrote it, or it is
 *   missing or empty and `mayCreate` is false. It was not changed.
 */
export const openRecords = async (options: {
  dataFolder: string
  /** Threads that read: one for long reads, the others for quick ones. At least two. */
  readers?: number
  clock?: Clock
  /** Whether a missing or empty database is made. Default: true. */
  mayCreate?: boolean
  /** Whether a library is opened although a short check finds damage. Default: false. */
  mayBeDamaged?: boolean
  /** Becomes read-only when the disk fails or damage is found. */
  state?: LibraryState
}): Promise<Records> => {
  const { dataFolder, clock = Date.now, mayCreate = true, mayBeDamaged = false } = options
  const { state = new LibraryState() } = options
  const threads = Math.max(2, options.readers ?? 2)
  const shared = { path: join(dataFolder, 'tessera.db'), maxQueued: MAX_QUEUED }
  if (!mayCreate) assertNotLost(shared.path)
  const writer = new WorkerThreads({ ...shared, role: 'writer', threads: 1 })
  await openOrClose(writer, shared.path, { mayCreate, mayBeDamaged })
  const reader = new WorkerThreads({ ...shared, role: 'reader', threads: threads - 1 })
  // One thread for long reads, so that the tables of a large library are in memory once.
  const longReader = new WorkerThreads({ ...shared, role: 'reader', threads: 1, startsIdle: true })

  // No two starts share a value, or an ETag of an earlier run would match what it does not describe.
  let revision = Date.now() * 1000

  const noteFaults = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (isRefusal(error, 'disk_error')) state.fail('disk_error')
      if (isRefusal(error, 'library_damaged')) state.fail('damaged')
      throw error
    }
  }

  const read = async (unit: string, ...args: unknown[]) => {
    const threads = isLongRead(unit, args) ? longReader : reader
    return noteFaults(threads.run({ unit, args, now: clock() }))
  }
  const write = async (unit: string, ...args: unknown[]) => {
    state.assertWritable()
    const result = await noteFaults(writer.run({ unit, args, now: clock() }))
    // What waits or runs is in no list of images or boards, and changes many times a second.
    if (!/^(?:queue|clientState|importsUnderWay|upkeepTimes)\./.test(unit)) revision += 1
    return result
  }

  // The threads look the units up by these very names, so a result has the type of the unit named.
  const records = recordsOf(read as Read, write as Write)
  return {
    ...records,
    upkeep: {
      ...records.upkeep,
      revision: () => revision,
      checkDatabase: (depth, signal) => checkInProcess({ path: shared.path, depth }, signal),
      checkDisk: async () => {
        await writer.run({ lifecycle: 'checkDisk' })
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

/** Before SQLite opens it: beside a database without a single page, SQLite deletes the log. */
const assertNotLost = (path: string): void => {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw libraryError(path, 'missing')
  if (size === 0) throw libraryError(path, 'empty')
}

/** Faults for which an automatic backup is a remedy. */
const toRestore: readonly OpenFault[] = ['missing', 'empty', 'foreign', 'damaged']

const libraryError = (path: string, fault: OpenFault) => {
  const text = `${path} ${faultTexts[fault]}`
  const hint = toRestore.includes(fault) ? restoreHint(dirname(path)) : null
  return new LibraryError(hint === null ? text : `${text} ${hint}`)
}

/**
 * Connects a thread, or closes it.
 *
 * @throws {LibraryError}
 */
export const openOrClose = async (
  threads: WorkerThreads,
  path: string,
  options: { mayCreate?: boolean; mayBeDamaged?: boolean } = {},
): Promise<void> => {
  const { mayCreate = true, mayBeDamaged = false } = options
  try {
    const task = { lifecycle: 'open', mayCreate, mayBeDamaged } as const
    const fault = (await threads.run(task)) as OpenFault | null
    if (fault !== null) throw libraryError(path, fault)
  } catch (error) {
    await threads.close()
    throw error
  }
}
