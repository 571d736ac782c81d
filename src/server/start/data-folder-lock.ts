import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readUnfinishedRestore } from '#server/storage/backup/restore-backup.ts'
import { lockFile } from '#server/storage/disk/file-lock.ts'
import { makeFolder, PRIVATE_FOLDER_MODE } from '#server/storage/disk/make-folder.ts'
import { dataFolderReason, StartError } from './start-error.ts'

/** Who holds a data folder. */
interface Holder {
  pid: number
  /** Where its page is, once it listens. */
  address: string | null
}

/** A data folder that this process has for itself, until it releases it or ends. */
export interface DataFolderLock {
  /** Says where this server can be reached, for whoever finds the folder held. */
  announce(address: string): void
  release(): void
}

/**
 * Locks a data folder for this process, and makes it if it does not exist. `server.json` says who has it.
 *
 * @param options - `forRestore`: a restore that was cut off is no fault.
 * @throws {StartError} Another process has it, it cannot be written, or a restore into it was cut off.
 */
export function lockDataFolder(dataFolder: string, { forRestore = false } = {}): DataFolderLock {
  const holderPath = join(dataFolder, 'server.json')
  const unlock = openLock(dataFolder, holderPath)
  const unfinished = forRestore ? null : readUnfinishedRestore(dataFolder)
  if (unfinished !== null) {
    rmSync(holderPath, { force: true })
    unlock()
    throw new StartError(
      `A restore into ${dataFolder} was cut off. Finish it first: ${unfinished.command}`,
    )
  }
  return {
    announce: (address) => note(holderPath, { pid: process.pid, address }),
    release: () => {
      rmSync(holderPath, { force: true })
      unlock()
    },
  }
}

function openLock(dataFolder: string, holderPath: string): () => void {
  let unlock: ReturnType<typeof lockFile> = null
  try {
    makeFolder(dataFolder, PRIVATE_FOLDER_MODE)
    unlock = lockFile(join(dataFolder, 'server.lock'))
    if (unlock === null) throw new DataFolderHeldError(dataFolder, readHolder(holderPath))
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
    const said = `The data folder ${dataFolder} cannot be written: ${dataFolderReason(error)}`
    throw new StartError(said, 1, { cause: error })
  }
}

/** The lock is held without it too: a server on a full disk must start, so that room can be made. */
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

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Another running Tessera has the data folder. */
export class DataFolderHeldError extends StartError {
  /** Where its server can be reached; null: it does not listen, or not yet. */
  readonly address: string | null

  constructor(dataFolder: string, holder: { pid: number; address: string | null } | null) {
    super(
      holder?.address
        ? `Tessera is running already with the data folder ${dataFolder}: open ${holder.address}`
        : `The data folder ${dataFolder} is held by another running Tessera${holder ? ` (process ${holder.pid})` : ''}.`,
    )
    this.address = holder?.address ?? null
  }
}
