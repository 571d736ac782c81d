import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { findPostgresPrograms, startPostgresServer } from '#testing/engines/postgres-server.ts'
import { filledDatabase } from './fill-postgres.ts'
import { type FillOptions, filledLibrary } from './fill-records.ts'
import type { Library } from './record-measures.ts'

/** Opens a library in a data folder. */
const openEmbedded = async (
  folder: string,
  rows: number,
  options: FillOptions = {},
): Promise<Library> => {
  const dataFolder = await filledLibrary(folder, rows, options)
  return {
    ...{ engine: 'embedded', rows, kind: options.hasVideos ? 'all' : 'image' },
    records: await openRecords({ dataFolder }),
  }
}

export interface EngineOptions {
  rows: readonly number[]
  folder: string
  /** URL of a PostgreSQL server without a database, or `temporary`. Absent: only the embedded database. */
  database?: string
  /** Larger embedded libraries, which take minutes to fill, are not measured next to PostgreSQL. Default: 1,000,000. */
  maxEmbeddedRows?: number
  /** True: the largest library of each database has a second one beside it, with as many rows, a tenth of them videos. */
  hasVideos?: boolean
}

/** Opens the libraries of each size, in each database. Close them with `close`. */
export const openEngines = async (options: EngineOptions) => {
  const { rows, folder, database, maxEmbeddedRows = 1_000_000, hasVideos = false } = options
  const libraries: Library[] = []
  const withVideos: Library[] = []
  const server = database === 'temporary' ? await startTemporary() : null
  const close = async () => {
    for (const { records } of [...libraries, ...withVideos]) await records.close()
    await server?.stop()
  }
  try {
    const embedded = database === undefined ? rows : rows.filter((n) => n <= maxEmbeddedRows)
    for (const count of embedded) libraries.push(await openEmbedded(folder, count))
    const largest = embedded.at(-1)
    if (hasVideos && largest !== undefined)
      withVideos.push(await openEmbedded(folder, largest, { hasVideos }))
    const url = server?.url ?? database
    if (url !== undefined) {
      for (const count of rows) libraries.push(await openFilledDatabase(url, count))
      if (hasVideos) withVideos.push(await openFilledDatabase(url, rows.at(-1) ?? 0, { hasVideos }))
    }
  } catch (error) {
    await close()
    throw error
  }
  return { libraries, withVideos, close }
}

const openFilledDatabase = async (
  url: string,
  rows: number,
  options: FillOptions = {},
): Promise<Library> => {
  const records = await openPostgresRecords({ url: await filledDatabase(url, rows, options) })
  return { engine: 'PostgreSQL', rows, kind: options.hasVideos ? 'all' : 'image', records }
}

const startTemporary = async () => {
  const programs = await findPostgresPrograms()
  if (programs === null) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  return startPostgresServer(programs, {
    shared_buffers: '2GB',
    max_wal_size: '8GB',
  })
}
