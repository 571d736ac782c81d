import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { imageFolder, imagePath } from '#server/storage/disk/image-path.ts'
import { migrate } from '#server/storage/sqlite/migrate.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { DatabasePages } from './database-pages.ts'
import { type FoundRow, TableReader } from './read-tables.ts'
import { shapesOf } from './table-shapes.ts'

const ROWS_PER_TURN = 5_000

export interface ReadOptions {
  /** Folder of the originals. */
  imagesFolder: string
  signal: AbortSignal
  onProgress: (rows: number) => void
}

/** The extent of the damage. */
export interface Survey {
  pages: number
  damagedPages: number
  /** Changes in the log after a damaged one, which SQLite would drop. */
  framesAfterDamage: number
  /** The tables that have rows, or of which something cannot be read. */
  tables: { name: string; rows: number; isWhole: boolean }[]
}

/** True if intact changes in the log come after a damaged one. SQLite drops them when it opens the database. */
export const hasDamagedLog = (path: string): boolean => {
  using pages = new DatabasePages(path)
  return pages.framesAfterDamage > 0
}

/** Counts the rows of a damaged database that can be read. Changes nothing. */
export const surveyDatabase = async (path: string, options: ReadOptions): Promise<Survey> => {
  using pages = new DatabasePages(path)
  await using model = openDatabase(':memory:', { readonly: false })
  await migrate(model as Kysely<unknown>)
  const reader = new TableReader(pages, await shapesOf(model))
  const seen = new Map<string, Set<unknown>>()
  await eachRow(reader, options, ({ table, rowid, values }) => {
    const keys = seen.get(table) ?? new Set()
    seen.set(table, keys.add(rowid ?? JSON.stringify(values)))
  })
  return surveyOf(pages, reader, (name) => seen.get(name)?.size ?? 0)
}

export const surveyOf = (
  pages: DatabasePages,
  reader: TableReader,
  count: (table: string) => number,
): Survey => {
  const tables = [...reader.tables.values()].map((found) => ({ ...found, rows: count(found.name) }))
  return {
    pages: pages.count,
    damagedPages: reader.damaged.size,
    framesAfterDamage: pages.framesAfterDamage,
    tables: tables.filter(({ rows, isWhole }) => rows > 0 || !isWhole),
  }
}

/** Calls `take` with each row that can be read, except for images that were probably deleted. */
export const eachRow = async (
  reader: TableReader,
  { imagesFolder, signal, onProgress }: ReadOptions,
  take: (row: FoundRow) => void,
): Promise<void> => {
  let rows = 0
  for (const row of reader.rows()) {
    if (isLikely(row, imagesFolder)) take(row)
    rows += 1
    if (rows % ROWS_PER_TURN > 0) continue
    onProgress(rows)
    await nextTurn()
    signal.throwIfAborted()
  }
}

/** A loose row may be that of a deleted image, whose file is gone too. */
const isLikely = ({ table, values, isLoose }: FoundRow, imagesFolder: string): boolean =>
  table !== 'images' || !isLoose || hasFile(imagesFolder, String(values[1]))

export const hasFile = (imagesFolder: string, imageName: string): boolean =>
  imageFolder(imageName) !== null &&
  statSync(imagePath(imagesFolder, imageName), { throwIfNoEntry: false }) !== undefined
