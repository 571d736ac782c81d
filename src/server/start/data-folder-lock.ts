import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readUnfinishedRestore } from '#server/storage/backup/restore-backup.ts'
import { lockFile } from '#server/storage/disk/file-lock.ts'
import { makeFolder, PRIVATE_FOLDER_MODE } from '#server/storage/disk/make-folder.ts'
import { hasUnfinishedMigration } from '#server/storage/migrate/unfinished-folder.ts'
import { codeOf, dataFolderReason, StartError } from './start-error.ts'

interface Holder {
  pid: number
  /** Address of its page, once it listens. */
  address: string | null
  /** True: it changes nothing in the folder. */
  isReadOnly?: boolean
}

/** Exclusive lock of a data folder, held until it is released or the process ends. */
export interface DataFolderLock {
  /** Marks the folder as one whose records are in PostgreSQL. */
  markDatabase(): void
  /** Stores the address of this server, for processes that find the folder locked. */
  announce(address: string): void
  /** Locks the folder again after it was away. @throws {StartError} Another process holds it. */
  renew(): void
  release(): void
}

/** Marks a data folder whose records are in PostgreSQL, so that nobody takes it for an empty library. */
const MARKER = 'records-are-in-postgresql'

/**
 * Locks a data folder for this process, and creates the folder if necessary. `server.json` names the holder.
 *
 * @param options - `forRestore`: accepts a folder with an interrupted restore. `forMigration`: accepts a folder with
 *   an unfinished migration. `hasDatabase`: the records are in PostgreSQL. `isReadOnly`: the holder changes nothing.
 * @throws {StartError} Another process holds it, it is not writable, a restore or a migration into it was interrupted,
 *   or its records are not where the options say.
 */
export function lockDataFolder(
  dataFolder: string,
  { forRestore = false, forMigration = false, hasDatabase = false, isReadOnly = false } = {},
): DataFolderLock {
  const holderPath = join(dataFolder, 'server.json')
  let unlock: (() => void) | null = openLock(dataFolder, holderPath, hasDatabase)
  const release = () => {
    if (unlock === null) return
    rmSync(holderPath, { force: true })
    unlock()
    unlock = null
  }
  const reason =
    misplacedRecords(dataFolder, hasDatabase) ??
    (forRestore ? null : unfinishedRestore(dataFolder)) ??
    (forMigration ? null : unfinishedMigration(dataFolder))
  if (reason !== null) {
    release()
    throw new StartError(reason)
  }
  return {
    markDatabase: () => writeFileSync(join(dataFolder, MARKER), ''),
    announce: (address) => note(holderPath, { pid: process.pid, address, isReadOnly }),
    renew: () => {
      unlock?.()
      unlock = null
      unlock = openLock(dataFolder, holderPath, hasDatabase)
    },
    release,
  }
}

function unfinishedRestore(dataFolder: string): string | null {
  const unfinished = readUnfinishedRestore(dataFolder)
  if (unfinished === null) return null
  return `A restore into ${dataFolder} was cut off. Finish it first: ${unfinished.command}`
}

function unfinishedMigration(dataFolder: string): string | null {
  if (!hasUnfinishedMigration(dataFolder)) return null
  return `${dataFolder} has a part of a library. Run the same \`tessera migrate\` again to finish it, or choose another folder with --data.`
}

function misplacedRecords(dataFolder: string, hasDatabase: boolean): string | null {
  const marker = join(dataFolder, MARKER)
  if (!hasDatabase)
    return existsSync(marker)
      ? `The records of ${dataFolder} are in PostgreSQL. Start the server with --database and --files, or choose another folder with --data.`
      : null
  if (existsSync(join(dataFolder, 'tessera.db')))
    return `${dataFolder} already has a library in SQLite. Choose another folder with --data, or leave --database out.`
  return null
}

/** Locks a data folder like `lockDataFolder`. Returns null if another process holds it. */
export function lockUnlessHeld(dataFolder: string): DataFolderLock | null {
  try {
    return lockDataFolder(dataFolder)
  } catch (error) {
    if (error instanceof DataFolderHeldError) return null
    throw error
  }
}

function openLock(dataFolder: string, holderPath: string, hasDatabase: boolean): () => void {
  let unlock: ReturnType<typeof lockFile> = null
  try {
    makeFolder(dataFolder, PRIVATE_FOLDER_MODE)
    unlock = lockFile(join(dataFolder, 'server.lock'))
    if (unlock === null)
      throw new DataFolderHeldError(dataFolder, readHolder(holderPath), hasDatabase)
    note(holderPath, { pid: process.pid, address: null })
    return unlock
  } catch (error) {
    unlock?.()
    if (error instanceof DataFolderHeldError) throw error
    if (codeOf(error) === 'SQLITE_NOTADB') {
      const path = join(dataFolder, 'server.lock')
      throw new StartError(`The lock file ${path} is damaged. Delete it and start again.`, 1, {
        cause: error,
      })
    }
    const message = `The data folder ${dataFolder} cannot be written: ${dataFolderReason(error)}`
    throw new StartError(message, 1, { cause: error })
  }
}

/**
 * Writes the holder file. Errors are ignored: a server on a full disk must start, so that the user can make room, and
 * the lock does not depend on it.
 */
function note(holderPath: string, holder: Holder): void {
  try {
    writeFileSync(holderPath, `${JSON.stringify(holder)}\n`)
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error
  }
}

function readHolder(holderPath: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderPath, 'utf8')) as Holder
  } catch {
    return null
  }
}

/** The data folder is locked by another running Tessera. */
export class DataFolderHeldError extends StartError {
  /** Address of its server; null if it does not listen (yet). */
  readonly address: string | null
  /** True: its server was started with --read-only and listens. */
  readonly isReadOnly: boolean

  /** @param hasDatabase - The library is in PostgreSQL: another process with another folder can use it too. */
  constructor(dataFolder: string, holder: Holder | null, hasDatabase: boolean) {
    const held = `The data folder ${dataFolder} is held by another running Tessera${holder ? ` (process ${holder.pid})` : ''}.`
    super(
      hasDatabase
        ? `${held} Give each process another folder with --data.`
        : holder?.address
          ? `Tessera is running already with the data folder ${dataFolder}: open ${holder.address}`
          : held,
    )
    this.address = holder?.address ?? null
    this.isReadOnly = holder?.isReadOnly ?? false
  }
}
