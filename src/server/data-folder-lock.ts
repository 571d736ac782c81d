import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { DataFolderHeldError } from './data-folder-held-error.ts'
import { StartError } from './start-error.ts'
import { dataFolderReason } from './start-error-reason.ts'

/** Who holds a data folder. */
interface Holder {
  pid: number
  /** Where its page is, once it listens. */
  address: string | null
}

/** A data folder that belongs to this process until it is released, or the process ends however it may. */
export interface DataFolderLock {
  /** Says where this server can be reached, for whoever finds the folder held. */
  announce(address: string): void
  release(): void
}

/**
 * Takes a data folder for this process alone, and makes it if it is not there.
 *
 * The lock is SQLite's own on a file of its own: the operating system frees it when the process ends,
 * SIGKILL included, so no stale lock is ever left. The JSON beside it only says who holds it.
 *
 * @throws {StartError} Another running server holds it, or it cannot be written.
 */
export function lockDataFolder(dataFolder: string): DataFolderLock {
  const holderPath = join(dataFolder, 'server.json')
  const database = openLock(dataFolder, holderPath)
  return {
    announce: (address) => note(holderPath, { pid: process.pid, address }),
    release: () => {
      rmSync(holderPath, { force: true })
      database.close()
    },
  }
}

function openLock(dataFolder: string, holderPath: string): Database.Database {
  let database: Database.Database | undefined
  try {
    makeFolder(dataFolder)
    database = new Database(join(dataFolder, 'server.lock'), { timeout: 0 })
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    note(holderPath, { pid: process.pid, address: null })
    return database
  } catch (error) {
    database?.close()
    if (codeOf(error).startsWith('SQLITE_BUSY'))
      throw new DataFolderHeldError(dataFolder, readHolder(holderPath))
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

/** Step by step: with `recursive`, Node 24 tries for ever where a parent is there and takes no folder (/proc). */
function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
    makeFolder(dirname(path))
    makeFolder(path)
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
